#include "scene/scene_text.h"

static const char *const plain =
    "{\"frames\": 2,\n \"cloths\": [{\"name\": \"a\", \"material\": \"cotton\", " DISC
    ", \"velocity\": [1, 2, 3]}]}";

static WeftResult define_with(const char *override, WeftScene **scene, WeftError *error) {
  return weft_scene_define(plain, strlen(plain), "scene.json", "no-such-folder", &override, 1, NO_LOG, scene,
                           error);
}

static WeftScene *good(const char *override) {
  WeftScene *scene;
  WeftError error = {0};
  if (define_with(override, &scene, &error)) fail_msg("%s", error.message);
  return scene;
}

static void values_are_replaced(void **state) {
  (void)state;
  WeftScene *s = good("frames=9");
  assert_int_equal(s->frames, 9);
  weft_scene_destroy(s);
  s = good("cloths.0.velocity.1=7");
  assert_true(s->cloths[0].velocity.linear[1] == 7);
  assert_true(s->cloths[0].velocity.linear[2] == 3);
  weft_scene_destroy(s);
  s = good("cloths[0].velocity[2]=8");
  assert_true(s->cloths[0].velocity.linear[2] == 8);
  weft_scene_destroy(s);
  s = good("cloths.0.material=silk");
  assert_string_equal(s->cloths[0].material.name, "silk");
  weft_scene_destroy(s);
  s = good("cloths.0.material=\"silk\"");
  assert_string_equal(s->cloths[0].material.name, "silk");
  weft_scene_destroy(s);
  s = good("cloths.0.name=\"true\""); /* without quotes it is JSON's true, and refused below */
  assert_string_equal(s->cloths[0].name, "true");
  weft_scene_destroy(s);
}

static void keys_are_added(void **state) {
  (void)state;
  WeftScene *s = good("wind.velocity=[5, 0, 0]");
  assert_true(s->world.wind.velocity[0] == 5);
  weft_scene_destroy(s);
  s = good("wind.gust={\"amplitude\": [1, 0, 0], \"frequency\": 2, \"length\": 3}");
  assert_true(s->world.wind.gust_length == 3);
  weft_scene_destroy(s);
  s = good("name=a=b");
  assert_string_equal(s->name, "a=b");
  weft_scene_destroy(s);
  s = good("description=");
  assert_string_equal(s->description, "");
  weft_scene_destroy(s);
  s = good("output.pictures=all");
  assert_int_equal(s->output.picture_count, 3);
  weft_scene_destroy(s);
}

/* A path into a material that is only a name keeps the fabric as the base. */
static void a_named_material_opens(void **state) {
  (void)state;
  WeftMaterial cotton;
  assert_int_equal(weft_material_find("cotton", &cotton, NULL), 0);
  WeftScene *s = good("cloths.0.material.density=0.5");
  assert_true(s->cloths[0].material.density == 0.5);
  assert_true(s->cloths[0].material.stretch_weft == cotton.stretch_weft);
  assert_true(s->cloths[0].material.bend_warp == cotton.bend_warp);
  weft_scene_destroy(s);
}

static void several_apply_in_order(void **state) {
  (void)state;
  const char *overrides[] = {"cloths.0.material=silk", "cloths.0.material.shear=12", "frames=4", "frames=5"};
  WeftScene *s;
  WeftError error = {0};
  assert_int_equal(
      weft_scene_define(plain, strlen(plain), "scene.json", ".", overrides, 4, NO_LOG, &s, &error), 0);
  assert_int_equal(s->frames, 5);
  assert_true(s->cloths[0].material.shear == 12);
  assert_string_equal(s->cloths[0].material.name, "silk");
  weft_scene_destroy(s);
}

static void bad_ones_are_refused(void **state) {
  (void)state;
  const struct {
    const char *override, *message;
  } cases[] = {
      {"frames", "--set frames: expected path=value, for example cloths.0.material=silk"},
      {"=3", "--set =3: expected path=value, for example cloths.0.material=silk"},
      {"frames=-1", "--set frames=-1: frames: expected a whole number from 0 to 1000000, got the number -1"},
      {"frames=ten",
       "--set frames=ten: frames: expected a whole number from 0 to 1000000, got the text \"ten\""},
      {"frames=01",
       "--set frames=01: frames: expected a whole number from 0 to 1000000, got the text \"01\""},
      {"frames=[1", "--set frames=[1: expected , or ]"},
      {"frames={\"a\":1,\"a\":2}",
       "--set frames={\"a\":1,\"a\":2}: key \"a\" stands twice in one object, first in line 1"},
      {"name=\"x", "--set name=\"x: text without its closing \""},
      {"cloths.0.name=true", "--set cloths.0.name=true: cloths[0].name: expected a text, got true"},
      {"cloths.0.materal=silk",
       "--set cloths.0.materal=silk: cloths[0].materal: unknown key; did you mean \"material\"?"},
      {"cloths.0.material=sillk",
       "--set cloths.0.material=sillk: cloths[0].material: unknown material \"sillk\"; did you mean "
       "\"silk\"?"},
      {"cloths.0.material.densty=1",
       "--set cloths.0.material.densty=1: cloths[0].material.densty: unknown key; did you mean \"density\"?"},
      {"cloths.0.material.density=0",
       "--set cloths.0.material.density=0: cloths[0].material.density: expected a number above 0, got the "
       "number 0"},
      {"wnd.velocity=[1,0,0]", "--set wnd.velocity=[1,0,0]: wnd: unknown key; did you mean \"wind\"?"},
      {"cloths.1.name=b", "--set cloths.1.name=b: cloths is a list of 1; there is no item 1"},
      {"cloths.name=b",
       "--set cloths.name=b: cloths is a list of 1; expected a number after it, got \"name\""},
      {"frames.x=1", "--set frames.x=1: frames is the number 2; nothing can be set inside it"},
      {"cloths.0.name.x=1",
       "--set cloths.0.name.x=1: cloths[0].name is the text \"a\"; nothing can be set inside it"},
      {"cloths..name=1",
       "--set cloths..name=1: empty part in the path; expected keys and numbers like cloths.0.name"},
      {".frames=1", "--set .frames=1: empty part in the path; expected keys and numbers like cloths.0.name"},
      {"frames.=1", "--set frames.=1: empty part in the path; expected keys and numbers like cloths.0.name"},
      {"cloths[0.name=1", "--set cloths[0.name=1: [ without ] in the path"},
      {"cloths[x].name=1", "--set cloths[x].name=1: expected a number or * in [ ]"},
      {"cloths[0]name=1", "--set cloths[0]name=1: expected . or [ after ] in the path"},
      {"cloths[0].velocity[3]=1",
       "--set cloths[0].velocity[3]=1: cloths[0].velocity is a list of 3; there is no item 3"},
      {"gravity=[0,0,1e999]", "--set gravity=[0,0,1e999]: number out of the range of a double"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    WeftScene *s = NULL;
    WeftError error = {0};
    if (!define_with(cases[i].override, &s, &error)) fail_msg("%s was accepted", cases[i].override);
    assert_string_equal(error.message, cases[i].message);
    assert_null(s);
  }
  WeftScene *s;
  const char *nothing = NULL;
  assert_int_equal(define_with(nothing, &s, NULL), WEFT_RESULT_INVALID_ARGUMENT);
}

/* What the file itself says keeps its line beside overrides. */
static void the_file_keeps_its_lines(void **state) {
  (void)state;
  const char *text = "{\"frames\": 2,\n \"cloths\": [{" DISC ", \"bend\": 3}]}", *override = "frames=3";
  WeftScene *s;
  WeftError error = {0};
  assert_int_not_equal(
      weft_scene_define(text, strlen(text), "scene.json", ".", &override, 1, NO_LOG, &s, &error), 0);
  assert_string_equal(error.message, "scene.json:2:67: cloths[0].bend: expected a text, got the number 3");
}

static void a_deep_path_is_refused(void **state) {
  (void)state;
  char override[512] = "a";
  for (int i = 0; i < 80; i++) strcat(override, ".a");
  strcat(override, "=1");
  WeftScene *s;
  WeftError error = {0};
  assert_int_equal(define_with(override, &s, &error), WEFT_RESULT_INVALID_ARGUMENT);
  assert_non_null(strstr(error.message, "path deeper than 64 levels"));
}

/* A star is every item of a list, at the end of a path and inside it; without a list it is a key like others.
 */
static void a_star_is_every_item(void **state) {
  (void)state;
  const char *text =
      "{\"frames\": 2, \"cloths\": [{" DISC "}, {" DISC ", \"material\": \"silk\"}, {" DISC "}]}";
  const char *overrides[] = {"cloths.*.material.density=0.25", "cloths[*].mesh.disc.rings=3",
                             "cloths.1.material.density=0.5"};
  WeftScene *s;
  WeftError error = {0};
  assert_int_equal(weft_scene_define(text, strlen(text), "scene.json", ".", overrides, 3, NO_LOG, &s, &error),
                   0);
  for (int i = 0; i < 3; i++) {
    assert_true(s->cloths[i].material.density == (i == 1 ? 0.5 : 0.25));
    assert_int_equal(s->cloths[i].mesh.rings, 3);
  }
  assert_string_equal(s->cloths[1].material.name, "silk");
  weft_scene_destroy(s);
  const char *lists[] = {"gravity=[1, 2, 3]", "gravity.*=-1"};
  assert_int_equal(weft_scene_define(text, strlen(text), "scene.json", ".", lists, 2, NO_LOG, &s, &error), 0);
  for (int k = 0; k < 3; k++) assert_true(s->world.gravity[k] == -1);
  weft_scene_destroy(s);
  assert_int_not_equal(define_with("cloths.*.*=1", &s, &error), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_star_is_every_item),     cmocka_unit_test(values_are_replaced),
      cmocka_unit_test(keys_are_added),           cmocka_unit_test(a_named_material_opens),
      cmocka_unit_test(several_apply_in_order),   cmocka_unit_test(bad_ones_are_refused),
      cmocka_unit_test(the_file_keeps_its_lines), cmocka_unit_test(a_deep_path_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

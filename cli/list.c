/* weft list [methods|materials|scenes|devices] */
#include "cli/cli.h"
#include "cli/files.h"

#include <stdlib.h>
#include <string.h>

static int list_methods(void) {
  const char *family = "";
  for (int32_t i = 0; i < weft_method_count(); i++) {
    WeftMethodInfo method = weft_method_info(i);
    if (strcmp(family, method.family) != 0) printf("%s\n", method.family);
    family = method.family;
    printf("  %-18s %s%s", method.name, method.is_default ? "(default) " : "",
           method.summary ? method.summary : "");
    if (method.citation && *method.citation) printf(" [%s]", method.citation);
    putchar('\n');
  }
  return EXIT_FINE;
}

/* The beginning of a text, up to a word's end; `weft info` shows all of it. */
static void print_beginning(const char *text) {
  const size_t longest = 88;
  size_t length = strlen(text);
  if (length > longest) {
    length = longest;
    while (length > 0 && text[length] != ' ') length--;
  }
  printf("%.*s%s\n", (int)length, text, text[length] ? " ..." : "");
}

static int list_materials(void) {
  for (int32_t i = 0; i < weft_material_count(); i++) {
    printf("  %-18s ", weft_material_name(i));
    print_beginning(weft_material_source(i));
  }
  return EXIT_FINE;
}

static int list_shipped_scenes(void) {
  SceneNames names;
  if (!list_scenes(&names)) return fail("out of memory");
  for (int i = 0; i < names.count; i++) {
    char *path = find_scene(names.items[i]);
    WeftScene *scene = NULL;
    WeftError error = {.message = "cannot be read"};
    if (path && weft_scene_load(path, NULL, 0, (WeftLog){0}, &scene, &error) == WEFT_RESULT_OK)
      printf("  %-18s %s\n", names.items[i], weft_scene_info(scene).description);
    else
      printf("  %-18s refused: %s\n", names.items[i], error.message);
    weft_scene_destroy(scene);
    free(path);
  }
  if (names.count == 0) puts("  none: neither ./scenes nor the installation's share folder is there");
  free_scenes(&names);
  return EXIT_FINE;
}

static int list_devices(void) {
  enum { MOST = 32 };
  WeftDeviceInfo devices[MOST];
  int32_t count = weft_list_devices(devices, MOST);
  for (int32_t i = 0; i < count && i < MOST; i++) {
    const WeftDeviceInfo *d = &devices[i];
    printf("  %-18s ", d->name);
    if (d->description[0]) printf("%s, %s", d->description, d->driver);
    if (d->memory) printf(", %.1f GB", 1e-9 * (double)d->memory);
    if (i > 0 && d->description[0])
      fputs(d->has_double ? ", double precision" : ", no double precision", stdout);
    if (!d->is_usable) printf("%scannot be used: %s", d->description[0] ? "; " : "", d->reason);
    putchar('\n');
  }
  return EXIT_FINE;
}

static const struct {
  const char *name;
  int (*run)(void);
} subjects[] = {
    {"methods", list_methods},
    {"materials", list_materials},
    {"scenes", list_shipped_scenes},
    {"devices", list_devices},
};
enum { SUBJECT_COUNT = sizeof subjects / sizeof subjects[0] };

static int list_all(void) {
  for (int s = 0; s < SUBJECT_COUNT; s++) {
    printf("%s%s:\n", s ? "\n" : "", subjects[s].name);
    int code = subjects[s].run();
    if (code != EXIT_FINE) return code;
  }
  return finish_stdout();
}

static int run_list(int argument_count, char **arguments) {
  int left;
  bool is_help;
  const Option options[] = {{.kind = OPTION_END}};
  int code = parse_options(&verb_list, options, argument_count, arguments, &left, &is_help);
  if (code != EXIT_FINE || is_help) return code;
  if (left > 1) return fail_usage(&verb_list, "one thing to list at a time, please");
  if (left == 0) return list_all();
  const char *names[SUBJECT_COUNT];
  for (int s = 0; s < SUBJECT_COUNT; s++) {
    names[s] = subjects[s].name;
    if (strcmp(arguments[0], names[s]) != 0) continue;
    code = subjects[s].run();
    return code == EXIT_FINE ? finish_stdout() : code;
  }
  return fail_usage(&verb_list, "cannot list \"%s\"%s", arguments[0],
                    did_you_mean(arguments[0], names, SUBJECT_COUNT));
}

const Verb verb_list = {
    .name = "list",
    .arguments = "[methods|materials|scenes|devices]",
    .summary = "List methods, materials, shipped scenes or devices.",
    .details =
        "methods    forces, integrators and preconditioners a scene can name, with their source\n"
        "materials  the fabrics a scene can name, with the source of their numbers (`weft info NAME` tells "
        "more)\n"
        "scenes     what ships with weft: run one with `weft run NAME`\n"
        "devices    what the simulation can run on\n\n"
        "Without a word all four are listed.\n",
    .run = run_list,
};

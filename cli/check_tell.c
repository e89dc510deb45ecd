/* What weft check says about a frame, in words and as JSON. */
#include "cli/check.h"

static const char *const kinds[] = {"crossing", "touching", "coplanar"};
static const char *const verbs_of[] = {"crosses", "touches", "lies in the plane of and meets"};

void tell_counts(FILE *stream, const WeftCheckCounts *counts) {
  fprintf(
      stream,
      "%lld edge-triangle intersections (%lld crossing, %lld touching, %lld coplanar), %lld triangle pairs, "
      "%lld contours of %g m",
      (long long)counts->hits, (long long)counts->crossing, (long long)counts->touching,
      (long long)counts->coplanar, (long long)counts->pairs, (long long)counts->contours, counts->length);
}

static void tell_part(const CheckedFrame *frame, const WeftCheckPart *part) {
  if (part->a == part->b)
    printf("  %s with itself: ", frame->names[part->a]);
  else
    printf("  %s with %s: ", frame->names[part->a], frame->names[part->b]);
  tell_counts(stdout, &part->counts);
  putchar('\n');
}

/* Names of meshes stand where there are several. */
static void tell_hit(const CheckedFrame *frame, const WeftHit *hit) {
  bool is_one = frame->mesh_count == 1;
  const char *of = is_one ? "" : " of ", *edge = is_one ? "" : frame->names[hit->edge_mesh],
             *triangle = is_one ? "" : frame->names[hit->triangle_mesh];
  printf("  edge %d-%d%s%s %s triangle %d%s%s at %g %g %g\n", hit->edge[0], hit->edge[1], of, edge,
         verbs_of[hit->kind], hit->triangle, of, triangle, hit->place[0], hit->place[1], hit->place[2]);
}

void tell_frame(const CheckedFrame *frame, bool is_alone) {
  const WeftCheck *check = frame->check;
  if (check->total.hits == 0 && !is_alone) return;
  if (!is_alone && frame->mesh_count == 1) printf("frame %d, %s: ", frame->frame, frame->names[0]);
  if (!is_alone && frame->mesh_count != 1) printf("frame %d: ", frame->frame);
  if (check->total.hits)
    tell_counts(stdout, &check->total);
  else
    printf("no intersections in %lld edges and %lld triangles", (long long)check->edge_count,
           (long long)check->triangle_count);
  putchar('\n');
  for (int32_t i = 0; i < check->part_count && frame->mesh_count > 1; i++) tell_part(frame, &check->parts[i]);
  for (int32_t i = 0; i < check->listed_count; i++) tell_hit(frame, &check->listed[i]);
  if (check->listed_count && check->listed_count < check->total.hits)
    printf("  and %lld more\n", (long long)(check->total.hits - check->listed_count));
}

static void write_integer(WeftJsonWriter *json, const char *key, int64_t value) {
  weft_json_write_key(json, key);
  weft_json_write_integer(json, value);
}

static void write_counts(WeftJsonWriter *json, const WeftCheckCounts *counts) {
  write_integer(json, "hits", counts->hits);
  write_integer(json, "crossing", counts->crossing);
  write_integer(json, "touching", counts->touching);
  write_integer(json, "coplanar", counts->coplanar);
  write_integer(json, "pairs", counts->pairs);
  write_integer(json, "contours", counts->contours);
  weft_json_write_key(json, "length");
  weft_json_write_number(json, counts->length);
}

static void write_hit(WeftJsonWriter *json, const WeftHit *hit) {
  weft_json_begin_object(json);
  write_integer(json, "edge_mesh", hit->edge_mesh);
  weft_json_write_key(json, "edge");
  weft_json_begin_list(json);
  for (int k = 0; k < 2; k++) weft_json_write_integer(json, hit->edge[k]);
  weft_json_end_list(json);
  write_integer(json, "triangle_mesh", hit->triangle_mesh);
  write_integer(json, "triangle", hit->triangle);
  weft_json_write_key(json, "kind");
  weft_json_write_text(json, kinds[hit->kind]);
  weft_json_write_key(json, "place");
  weft_json_begin_list(json);
  for (int k = 0; k < 3; k++) weft_json_write_number(json, hit->place[k]);
  weft_json_end_list(json);
  weft_json_end_object(json);
}

void write_frame(WeftJsonWriter *json, const CheckedFrame *frame) {
  const WeftCheck *check = frame->check;
  weft_json_begin_object(json);
  write_integer(json, "frame", frame->frame);
  weft_json_write_key(json, "time");
  if (frame->time < 0)
    weft_json_write_null(json);
  else
    weft_json_write_number(json, frame->time);
  weft_json_write_key(json, "meshes");
  weft_json_begin_list(json);
  for (int32_t i = 0; i < frame->mesh_count; i++) weft_json_write_text(json, frame->names[i]);
  weft_json_end_list(json);
  write_integer(json, "vertices", check->vertex_count);
  write_integer(json, "triangles", check->triangle_count);
  write_integer(json, "edges", check->edge_count);
  write_counts(json, &check->total);
  weft_json_write_key(json, "parts");
  weft_json_begin_list(json);
  for (int32_t i = 0; i < check->part_count; i++) {
    weft_json_begin_object(json);
    write_integer(json, "a", check->parts[i].a);
    write_integer(json, "b", check->parts[i].b);
    write_counts(json, &check->parts[i].counts);
    weft_json_end_object(json);
  }
  weft_json_end_list(json);
  weft_json_write_key(json, "listed");
  weft_json_begin_list(json);
  for (int32_t i = 0; i < check->listed_count; i++) write_hit(json, &check->listed[i]);
  weft_json_end_list(json);
  weft_json_end_object(json);
}

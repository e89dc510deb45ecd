/* "sequence": the files of a deforming obstacle. A pattern is not handed to printf: it has one place for a
 * number, and that is looked for here. */
#include "scene/scene.h"

#include <string.h>

/* An hour at 24 frames a second, and more. */
#define MOST_FRAMES 100000

static WeftResult read_list(WeftReader *r, int32_t node, WeftSceneSequence *sequence) {
  const WeftJsonNode *n = weft_json_node(r->json, node);
  if (!n->count || n->count > MOST_FRAMES) return weft_refuse(r, node, "1 to 100000 files");
  sequence->file_count = n->count;
  sequence->files = weft_blocks_alloc(r->blocks, (size_t)n->count, sizeof *sequence->files);
  if (!sequence->files) return weft_fail_memory(r->error, "a sequence");
  const char **next = sequence->files;
  WeftResult result = WEFT_RESULT_OK;
  for (int32_t child = n->first; child >= 0 && !result; child = weft_json_node(r->json, child)->next)
    result = weft_read_text(r, child, INFINITY, next++);
  return result;
}

const char *weft_scene_place_of_number(const char *pattern, int32_t *digits, const char **behind) {
  const char *place = strchr(pattern, '%');
  if (!place) return NULL;
  const char *at = place + 1;
  *digits = 0;
  if (at[0] == '0' && at[1] >= '1' && at[1] <= '9') {
    *digits = at[1] - '0';
    at += 2;
  }
  *behind = at + 1;
  return *at == 'd' && !strchr(at, '%') ? place : NULL;
}

static WeftResult read_files(WeftReader *r, int32_t node, void *value) {
  WeftSceneSequence *sequence = value;
  sequence->files_node = node;
  if (weft_json_type(r->json, node) == WEFT_JSON_LIST) return read_list(r, node, sequence);
  int32_t digits;
  const char *behind;
  if (weft_json_type(r->json, node) != WEFT_JSON_TEXT)
    return weft_refuse(r, node, "a pattern like \"body_%04d.obj\" or a list of files");
  WeftResult result = weft_read_text(r, node, INFINITY, &sequence->pattern);
  if (!result && !weft_scene_place_of_number(sequence->pattern, &digits, &behind))
    return weft_refuse(r, node, "a pattern with one %d or %04d in it, or a list of files");
  return result;
}

static WeftResult read_first(WeftReader *r, int32_t node, void *value) {
  WeftSceneSequence *sequence = value;
  sequence->first_node = node;
  return weft_read_integer(r, node, (WeftRange)WEFT_FROM_ZERO, &sequence->first);
}

static WeftResult read_last(WeftReader *r, int32_t node, void *value) {
  WeftSceneSequence *sequence = value;
  sequence->last_node = node;
  return weft_read_integer(r, node, (WeftRange)WEFT_FROM_ZERO, &sequence->last);
}

static const WeftField fields[] = {
    {.key = "files", .type = WEFT_FIELD_CUSTOM, .is_required = true, .read = read_files},
    {.key = "first", .type = WEFT_FIELD_CUSTOM, .read = read_first},
    {.key = "last", .type = WEFT_FIELD_CUSTOM, .read = read_last},
    {.key = "frame_rate",
     .type = WEFT_FIELD_NUMBER,
     .offset = offsetof(WeftSceneSequence, frame_rate),
     .range = {0, 1e9, true}},
    {.key = "start",
     .type = WEFT_FIELD_NUMBER,
     .offset = offsetof(WeftSceneSequence, start),
     .range = WEFT_FROM_TO(-1e6, 1e6)},
};
const WeftTable weft_scene_table_sequence = WEFT_TABLE("sequence", fields);

WeftResult weft_scene_read_sequence(WeftReader *r, int32_t node, void *value) {
  WeftSceneSequence *sequence = value;
  sequence->node = node;
  WeftResult result = weft_read_object(r, node, &weft_scene_table_sequence, sequence);
  if (result) return result;
  if (!sequence->pattern) {
    int32_t numbered = sequence->first_node >= 0 ? sequence->first_node : sequence->last_node;
    if (numbered < 0) return WEFT_RESULT_OK;
    return weft_json_fail_key(r->json, numbered, r->error, WEFT_RESULT_INVALID_DATA,
                              "goes with a pattern; a list of files has its own order");
  }
  if (sequence->last_node < 0)
    return weft_json_fail(r->json, node, r->error, WEFT_RESULT_INVALID_DATA,
                          "missing key \"last\": the number of the last file of the pattern");
  if (sequence->last < sequence->first || sequence->last - sequence->first >= MOST_FRAMES)
    return weft_json_fail(r->json, sequence->last_node, r->error, WEFT_RESULT_INVALID_DATA,
                          "expected a number from first, %d, on and at most 100000 files, got %d",
                          sequence->first, sequence->last);
  sequence->file_count = sequence->last - sequence->first + 1;
  return WEFT_RESULT_OK;
}

/* Every edge against every triangle whose box meets its own. Edges are cut into blocks; each block has a list
 * of its own, and lists are joined in order, so that the outcome does not depend on threads. */
#include "base/memory.h"
#include "judge/judge.h"
#include "judge/meet.h"
#include "judge/tree.h"

#include <stdlib.h>
#include <string.h>

enum { EDGES_A_BLOCK = 1024 };

typedef struct Block {
  WeftJudgeHit *items;
  size_t count, capacity;
  bool is_broken; /* out of memory */
} Block;

static const double *position(const WeftSoup *soup, int32_t vertex) {
  return soup->positions + 3 * (size_t)vertex;
}

static bool shares_vertex(const int32_t *edge, const int32_t *corners) {
  for (int i = 0; i < 3; i++)
    if (corners[i] == edge[0] || corners[i] == edge[1]) return true;
  return false;
}

static void judge(const WeftSoup *soup, int32_t edge, int32_t triangle, Block *block) {
  const int32_t *ends = soup->edges + 2 * (size_t)edge, *corners = soup->triangles + 3 * (size_t)triangle;
  if (shares_vertex(ends, corners)) return;
  if (soup->is_obstacle[ends[0]] && soup->is_obstacle[corners[0]]) return;
  const double *const points[3] = {position(soup, corners[0]), position(soup, corners[1]),
                                   position(soup, corners[2])};
  WeftMeeting meeting;
  if (!weft_edge_meets_triangle(position(soup, ends[0]), position(soup, ends[1]), points, &meeting)) return;
  if (!weft_grow((void **)&block->items, &block->capacity, block->count + 1, sizeof *block->items)) {
    block->is_broken = true;
    return;
  }
  block->items[block->count++] =
      (WeftJudgeHit){edge, triangle, (int32_t)meeting.kind, meeting.begin, meeting.end};
}

static int by_triangle(const void *a, const void *b) {
  int32_t first = ((const WeftJudgeHit *)a)->triangle, second = ((const WeftJudgeHit *)b)->triangle;
  return (first > second) - (first < second);
}

static void judge_edge(const WeftSoup *soup, const WeftTree *tree, int32_t edge, Block *block) {
  const int32_t *ends = soup->edges + 2 * (size_t)edge;
  WeftTreeWalk walk;
  size_t before = block->count;
  weft_tree_begin(&walk, tree, position(soup, ends[0]), position(soup, ends[1]));
  for (int32_t triangle; !block->is_broken && (triangle = weft_tree_next(&walk)) >= 0;)
    judge(soup, edge, triangle, block);
  size_t found = block->count - before;
  if (found > 1) qsort(block->items + before, found, sizeof *block->items, by_triangle);
}

static WeftResult join(const Block *blocks, int32_t block_count, WeftJudgeHits *hits, WeftError *error) {
  bool is_broken = false;
  for (int32_t b = 0; b < block_count; b++) {
    hits->count += blocks[b].count;
    is_broken = is_broken || blocks[b].is_broken;
  }
  if (!is_broken) hits->items = WEFT_NEW(WeftJudgeHit, hits->count);
  if (!hits->items) return weft_fail_memory(error, "list of intersections");
  WeftJudgeHit *to = hits->items;
  for (int32_t b = 0; b < block_count; b++) {
    if (blocks[b].count) memcpy(to, blocks[b].items, blocks[b].count * sizeof *to);
    to += blocks[b].count;
  }
  return WEFT_RESULT_OK;
}

WeftResult weft_judge_find(const WeftSoup *soup, WeftJudgeHits *hits, WeftError *error) {
  *hits = (WeftJudgeHits){0};
  int32_t block_count = (soup->edge_count + EDGES_A_BLOCK - 1) / EDGES_A_BLOCK;
  WeftTree tree;
  WeftResult result = weft_tree_create(&tree, soup, error);
  Block *blocks = WEFT_NEW(Block, block_count);
  if (!result && !blocks) result = weft_fail_memory(error, "check of meshes");
  if (!result) {
#pragma omp parallel for schedule(static, 1)
    for (int32_t b = 0; b < block_count; b++) {
      int32_t first = b * EDGES_A_BLOCK, end = first + EDGES_A_BLOCK;
      if (end > soup->edge_count) end = soup->edge_count;
      for (int32_t e = first; e < end; e++) judge_edge(soup, &tree, e, &blocks[b]);
    }
    result = join(blocks, block_count, hits, error);
  }
  for (int32_t b = 0; blocks && b < block_count; b++) free(blocks[b].items);
  free(blocks);
  weft_tree_destroy(&tree);
  return result;
}

void weft_judge_place(const WeftSoup *soup, const WeftJudgeHit *hit, double along, double place[3]) {
  const int32_t *ends = soup->edges + 2 * (size_t)hit->edge;
  const double *p = position(soup, ends[0]), *q = position(soup, ends[1]);
  for (int k = 0; k < 3; k++) place[k] = (1 - along) * p[k] + along * q[k];
}

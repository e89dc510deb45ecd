/* The judge's two halves: all hits, and what they hang together to. Nothing here is shared with detection. */
#ifndef WEFT_JUDGE_JUDGE_H
#define WEFT_JUDGE_JUDGE_H

#include "judge/soup.h"

/* An edge and a triangle with a common point. */
typedef struct WeftJudgeHit {
  int32_t edge, triangle; /* of the soup */
  int32_t kind;           /* WeftHitKind */
  double begin, end;      /* the common part along the edge, in [0, 1] */
} WeftJudgeHit;

typedef struct WeftJudgeHits {
  size_t count;
  WeftJudgeHit *items; /* by edge, then triangle */
} WeftJudgeHits;

/* On as many threads as device/threads.h says. Free items also after a failure. */
WeftResult weft_judge_find(const WeftSoup *soup, WeftJudgeHits *hits, WeftError *error);

/* A point along the edge of a hit [m]. */
void weft_judge_place(const WeftSoup *soup, const WeftJudgeHit *hit, double along, double place[3]);

/* Fills in total and parts of the check. */
WeftResult weft_judge_count(const WeftSoup *soup, const WeftJudgeHits *hits, WeftCheck *check,
                            WeftError *error);

#endif

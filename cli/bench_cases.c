/* The benchmarks: scenes/bench/ at the sizes and steps of the papers, and with --quick so coarse and short
 * that all of them together take less than a minute. */
#include "cli/bench.h"

#define SHEETS(n) "cloths.*.mesh.rectangle.columns=" #n
#define SHEET_ROWS(n) "cloths.*.mesh.rectangle.rows=" #n
#define TUBES(columns, rows) "cloths.*.mesh.tube.columns=" #columns, "cloths.*.mesh.tube.rows=" #rows
#define QUICK_BALL "obstacles.0.mesh.sphere.columns=24", "obstacles.0.mesh.sphere.rows=12"
#define QUICK_DRESS \
  { TUBES(24, 5), "frames=4", "obstacles.0.mesh.lathe.columns=16" }
/* the dryer's pieces have cells of one size */
#define PIECE(i, shape, columns, rows) \
  "cloths." #i ".mesh." #shape ".columns=" #columns, "cloths." #i ".mesh." #shape ".rows=" #rows
#define QUICK_DRYER                                                                \
  "frames=2", PIECE(0, tube, 12, 9), PIECE(1, tube, 12, 8), PIECE(2, tube, 12, 8), \
      PIECE(3, rectangle, 9, 9), PIECE(4, rectangle, 12, 9)

const BenchCase bench_cases[] = {
    {.name = "sphere", .scene = "bench/sphere", .quick = {SHEETS(8), "frames=3", QUICK_BALL}},
    {.name = "funnel-300", .scene = "bench/funnel", .quick = {SHEETS(8), "frames=3"}},
    {.name = "funnel-100",
     .scene = "bench/funnel",
     .sets = {"steps_per_frame=2"},
     .quick = {SHEETS(8), "frames=6"}},
    {.name = "twisting", .scene = "bench/twisting", .quick = {SHEETS(8), "frames=3", QUICK_BALL}},
    {.name = "dress-100", .scene = "bench/dress", .quick = QUICK_DRESS},
    {.name = "dress-50", .scene = "bench/dress", .sets = {"steps_per_frame=1"}, .quick = QUICK_DRESS},
    {.name = "dress-25",
     .scene = "bench/dress",
     .sets = {"steps_per_frame=1", "frame_rate=25", "frames=50"},
     .quick = QUICK_DRESS},
    {.name = "dress-20",
     .scene = "bench/dress",
     .sets = {"steps_per_frame=1", "frame_rate=20", "frames=40"},
     .quick = QUICK_DRESS},
    {.name = "tiered",
     .scene = "bench/tiered",
     .quick = {TUBES(24, 3), "frames=2", "obstacles.0.mesh.lathe.columns=16"}},
    {.name = "dryer-98k",
     .scene = "bench/dryer",
     .sets = {PIECE(0, tube, 101, 96), PIECE(1, tube, 121, 80), PIECE(2, tube, 101, 80),
              PIECE(3, rectangle, 96, 96), PIECE(4, rectangle, 128, 96)},
     .quick = {QUICK_DRYER}},
    {.name = "dryer-310k", .scene = "bench/dryer", .quick = {QUICK_DRYER}},
    {.name = "sheets", .scene = "bench/sheets", .quick = {SHEETS(4), SHEET_ROWS(2), "frames=2"}},
    {.name = "resolution-16k", .scene = "bench/resolution", .quick = {SHEETS(6), "frames=3", QUICK_BALL}},
    {.name = "resolution-64k",
     .scene = "bench/resolution",
     .sets = {SHEETS(179)},
     .quick = {SHEETS(9), "frames=3", QUICK_BALL}},
    {.name = "resolution-256k",
     .scene = "bench/resolution",
     .sets = {SHEETS(358)},
     .quick = {SHEETS(12), "frames=3", QUICK_BALL}},
    {.name = "resolution-1m",
     .scene = "bench/resolution",
     .sets = {SHEETS(707)},
     .quick = {SHEETS(18), "frames=3", QUICK_BALL}},
    {.name = "drape-10k", .scene = "bench/drape", .quick = {SHEETS(8), "frames=4", QUICK_BALL}},
    {.name = "drape-20k",
     .scene = "bench/drape",
     .sets = {SHEETS(100)},
     .quick = {SHEETS(10), "frames=4", QUICK_BALL}},
    {.name = "drape-40k",
     .scene = "bench/drape",
     .sets = {SHEETS(141)},
     .quick = {SHEETS(12), "frames=4", QUICK_BALL}},
    {.name = "drape-97k",
     .scene = "bench/drape",
     .sets = {SHEETS(220)},
     .quick = {SHEETS(16), "frames=4", QUICK_BALL}},
    {.name = "ball",
     .scene = "bench/ball",
     .quick = {SHEETS(16), SHEET_ROWS(16), "frames=3", QUICK_BALL},
     .detects = true},
    {.name = "reef",
     .scene = "knot",
     .sets = {"cloths.*.mesh.ribbon.columns=1250"},
     .quick = {"cloths.*.mesh.ribbon.columns=200", "cloths.*.mesh.ribbon.rows=1", "frames=1"},
     .detects = true},
    {.name = "bowline",
     .scene = "bench/bowline",
     .quick = {"cloths.0.mesh.ribbon.columns=300", "cloths.0.mesh.ribbon.rows=1", "frames=1"},
     .detects = true},
};
const int bench_case_count = sizeof bench_cases / sizeof bench_cases[0];

/* What others measured on scenes like ours, and on what. Their meshes and motions are not public: size,
 * number of pieces and step are theirs, the rest of our scenes is made after their descriptions and pictures.
 *
 * CAMA and I-Cloth give seconds a frame and frames a second at a time step; I-Cloth says (section 6) that its
 * frames are steps. Frames a second are turned into seconds. */
#include "cli/bench.h"

#define CAMA "CAMA", "Tang16 fig. 13", "Tesla K40c"
#define ICLOTH "I-Cloth", "Tang18 fig. 8", "GTX 1080"
#define PSCC "PSCC", "Tang18 fig. 8", "GTX 1080"
#define CAMA_SIZES "CAMA", "Tang16 fig. 16", "not named there"
#define GRID "thesis, virtual subdivision", "Wong14 table 5.1", "GTX 470"
#define OCTREE "thesis, octree grid", "Wong14 table 6.2", "GTX 470"
#define OCTREE_780 "thesis, octree grid", "Wong14 table 6.2", "GTX 780"

const BenchPublished bench_published[] = {
    {"sphere", CAMA, 2.84, 0, 0, "less than one penetration a step left to its response (fig. 17)"},
    {"sphere", PSCC, 1 / 1.06, 0, 0, NULL},
    {"sphere", ICLOTH, 1 / 1.95, 0, 0,
     "on a simpler version 1065 impacts without contact forces, 62 with them (fig. 13)"},
    {"funnel-300", CAMA, 1.68, 0, 0, NULL},
    {"funnel-100", PSCC, 1 / 2.33, 0, 0, NULL},
    {"funnel-100", ICLOTH, 1 / 8.47, 0, 0, NULL},
    {"twisting", CAMA, 2.92, 0, 0, NULL},
    {"twisting", PSCC, 1 / 1.03, 0, 0, NULL},
    {"twisting", ICLOTH, 1 / 5.08, 0, 0, NULL},
    {"dress-100", PSCC, 1 / 0.92, 0, 0, NULL},
    {"dress-100", ICLOTH, 1 / 6.06, 0, 0,
     "1.76 and 2.73 times as fast in all with steps 2 and 4 times as long (5.4)"},
    {"dress-50", "I-Cloth", "Tang18 fig. 7", "GTX 1080", 0, 0, 0,
     "a step's impacts resolved within 57 iterations"},
    {"dress-20", "I-Cloth", "Tang18 fig. 7", "GTX 1080", 0, 0, 0,
     "fails: 1002 impacts left after 200 iterations"},
    {"tiered", PSCC, 1 / 0.64, 0, 0, NULL},
    {"tiered", ICLOTH, 1 / 1.23, 0, 0, NULL},
    {"dryer-98k", CAMA, 4.13, 0, 0, "mean over 98K to 310K triangles; ArcSim on one CPU thread 212.45 s"},
    {"dryer-310k", CAMA, 4.13, 0, 0, "mean over 98K to 310K triangles; ArcSim on one CPU thread 212.45 s"},
    {"sheets", "elsewhere", "source not named", "a many-core CPU, not named", 0.21, 0, 0, NULL},
    {"resolution-16k", CAMA_SIZES, 0.27, 0, 0, NULL},
    {"resolution-64k", CAMA_SIZES, 1.22, 0, 0, NULL},
    {"resolution-256k", CAMA_SIZES, 5.30, 0, 0, NULL},
    {"resolution-1m", CAMA_SIZES, 35.57, 0, 0, "12 s in its section 6"},
    {"ball", GRID, 0, 12.0e-3, 14.8e-3, NULL},
    {"ball", OCTREE, 0, 10.5e-3, 13.3e-3, NULL},
    {"ball", OCTREE_780, 0, 8.3e-3, 9.2e-3, NULL},
    {"ball", "Tang et al. 2009, as told by the thesis", "Wong14 section 5.4.4", "16 cores, Xeon 2.93 GHz", 0,
     0, 32.5e-3, NULL},
    {"reef", GRID, 0, 5.5e-3, 6.0e-3, NULL},
    {"reef", OCTREE, 0, 4.7e-3, 4.9e-3, NULL},
    {"reef", OCTREE_780, 0, 3.2e-3, 3.0e-3, NULL},
    {"bowline", GRID, 0, 4.3e-3, 4.0e-3, NULL},
};
const int bench_published_count = sizeof bench_published / sizeof bench_published[0];

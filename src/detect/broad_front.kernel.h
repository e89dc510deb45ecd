/* The front of broad_front.c. A fork is two ints: node p with the forks among its children in the bits above
 * it (FORK_BIT << c), and node q with the children that are to become forks there. Child c of (p, q) is
 * (2p + c / 2, 2q + c % 2); of (p, p), child 2 is child 1 again and left out. A fork that is no more is 0. */
#include "detect/bvh_meet.kernel.h"

#define FORK_NODE 0x03ffffff
#define FORK_SHIFT 26
#define FRONT_RUN 256     /* forks in a work item */
#define FRONT_MEET_RUN 16 /* those with leaves in a work item, whose finds share a pool */

typedef struct ForkLook {
  int wanted, gone, tests; /* children that became forks, that no more are; boxes compared */
} ForkLook;

INLINE int fork_child_p(int p, int c) { return 2 * p + (c >> 1); }
INLINE int fork_child_q(int q, int c) { return 2 * q + (c & 1); }
INLINE int fork_has_child(int p, int q, int c) { return p != q || c != 2; }

/* Does either node hold an active triangle? */
INLINE int fork_is_active(int p, int q, int is_all_active, GLOBAL const int *active) {
  return is_all_active || (active[p] | active[q]);
}

/* In an ordinary look the children where the search stopped; in a tidying one those that are forks as well.
 */
INLINE ForkLook fork_look(int p, int q, int forks, int is_tidied, int is_all_active, GLOBAL const int *active,
                          GLOBAL const float *node) {
  ForkLook look;
  look.wanted = look.gone = look.tests = 0;
  for (int c = 0; c < 4; c++) {
    int left = fork_child_p(p, c), right = fork_child_q(q, c), is_fork = (forks >> c) & 1;
    if (!fork_has_child(p, q, c)) continue;
    if (is_fork ? !is_tidied : !fork_is_active(left, right, is_all_active, active)) continue;
    look.tests++;
    int overlaps = box_overlaps(load_box(node, left), load_box(node, right));
    look.wanted |= (overlaps & !is_fork) << c;
    look.gone |= ((1 - overlaps) & is_fork) << c;
  }
  return look;
}

/* Have the boxes of a fork parted? Then those of all below it have, and each finds so itself; a node has not
 * parted from itself. */
INLINE int fork_is_gone(int p, int q, GLOBAL const float *node) {
  return p != q && !box_overlaps(load_box(node, p), load_box(node, q));
}

INLINE int front_bit_count(int four) {
  return (four & 1) + ((four >> 1) & 1) + ((four >> 2) & 1) + ((four >> 3) & 1);
}

/* Looks at count forks from first on. Counts what they become: forks over nodes, or over leaves. */
KERNEL front_look(int run_count, int first, int count, int first_leaf, int is_tidied, int is_all_active,
                  GLOBAL const int *active, GLOBAL const float *node, GLOBAL int *fork, GLOBAL int *to_upper,
                  GLOBAL int *to_lower, GLOBAL REAL *tests) {
  FOR_CHUNKS (run, run_count) {
    int upper = 0, lower = 0, compared = 0,
        end = (run + 1) * FRONT_RUN < count ? (run + 1) * FRONT_RUN : count;
    for (int f = first + run * FRONT_RUN; f < first + end; f++) {
      int p = fork[2 * f] & FORK_NODE, q = fork[2 * f + 1], forks = fork[2 * f] >> FORK_SHIFT;
      if (p == 0) continue;
      if (is_tidied) {
        compared += p != q;
        if (fork_is_gone(p, q, node)) {
          fork[2 * f] = 0;
          continue;
        }
      } else if (!fork_is_active(p, q, is_all_active, active)) {
        continue;
      }
      ForkLook look = fork_look(p, q, forks, is_tidied, is_all_active, active, node);
      compared += look.tests;
      if (look.wanted | look.gone) {
        fork[2 * f] = p | ((forks ^ look.gone) | look.wanted) << FORK_SHIFT;
        fork[2 * f + 1] = q | look.wanted << FORK_SHIFT;
      }
      if (4 * p < first_leaf)
        upper += front_bit_count(look.wanted);
      else
        lower += front_bit_count(look.wanted);
    }
    to_upper[run] = upper;
    to_lower[run] = lower;
    tests[run] = compared;
  }
}

/* What front_look counted goes behind the others. */
KERNEL front_expand(int run_count, int first, int count, int first_leaf, int upper_count, int lower_count,
                    GLOBAL const int *to_upper, GLOBAL const int *to_lower, GLOBAL int *upper,
                    GLOBAL int *lower) {
  FOR_CHUNKS (run, run_count) {
    int at_upper = upper_count + to_upper[run], at_lower = lower_count + to_lower[run];
    int end = (run + 1) * FRONT_RUN < count ? (run + 1) * FRONT_RUN : count;
    for (int f = first + run * FRONT_RUN; f < first + end; f++) {
      int p = upper[2 * f] & FORK_NODE, q = upper[2 * f + 1] & FORK_NODE;
      int wanted = upper[2 * f + 1] >> FORK_SHIFT;
      if (p == 0 || wanted == 0) continue;
      upper[2 * f + 1] = q;
      for (int c = 0; c < 4; c++) {
        if (!((wanted >> c) & 1)) continue;
        GLOBAL int *made = 4 * p < first_leaf ? upper + 2 * at_upper++ : lower + 2 * at_lower++;
        made[0] = fork_child_p(p, c);
        made[1] = fork_child_q(q, c);
      }
    }
  }
}

/* The leaves of a run of forks; see bvh_meet. In a pool, leaves are named by fork and child. */
INLINE LeafWalk front_meet_run(int run, int count, int first_leaf, int is_tidied, int is_all_active,
                               GLOBAL const int *active, GLOBAL const float *node, GLOBAL const float *leaves,
                               GLOBAL const int *leaf_active, GLOBAL int *fork, int pool_size,
                               GLOBAL int *pool, GLOBAL const int *order, GLOBAL int *a, GLOBAL int *b) {
  LeafWalk walk;
  walk.found = walk.tests = 0;
  for (int f = run * FRONT_MEET_RUN; f < (run + 1) * FRONT_MEET_RUN && f < count; f++) {
    int p = fork[2 * f], q = fork[2 * f + 1];
    if (p == 0) continue;
    if (is_tidied) {
      walk.tests += p != q;
      if (fork_is_gone(p, q, node)) {
        fork[2 * f] = 0;
        continue;
      }
    }
    if (!fork_is_active(p, q, is_all_active, active)) continue;
    for (int c = 0; c < 4; c++) {
      int left = fork_child_p(p, c), right = fork_child_q(q, c);
      if (!fork_has_child(p, q, c) || !fork_is_active(left, right, is_all_active, active)) continue;
      Box there = load_box(node, right);
      walk.tests++;
      if (!box_overlaps(load_box(node, left), there)) continue;
      walk = bvh_meet(walk, left - first_leaf, right - first_leaf, leaves, there, 0, 0, leaf_active,
                      BVH_LEAF * (4 * (f - run * FRONT_MEET_RUN) + c), pool_size, pool, order, a, b);
    }
  }
  return walk;
}

KERNEL front_meet(int run_count, int count, int first_leaf, int is_tidied, int is_all_active,
                  GLOBAL const int *active, GLOBAL const float *node, GLOBAL const float *leaves,
                  GLOBAL const int *leaf_active, GLOBAL int *fork, int pool_size, GLOBAL int *pool,
                  GLOBAL int *found, GLOBAL REAL *tests) {
  FOR_CHUNKS (run, run_count) {
    LeafWalk walk =
        front_meet_run(run, count, first_leaf, is_tidied, is_all_active, active, node, leaves, leaf_active,
                       fork, pool_size, pool + run * (pool_size + BVH_LEAF), 0, 0, 0);
    found[run] = walk.found;
    tests[run] = walk.tests;
  }
}

/* From the pools into one array; a run with more than its pool holds meets again. */
KERNEL front_place(int run_count, int count, int first_leaf, int is_all_active, GLOBAL const int *active,
                   GLOBAL const float *node, GLOBAL const float *leaves, GLOBAL const int *leaf_active,
                   GLOBAL int *fork, int pool_size, GLOBAL const int *pool, GLOBAL const int *order,
                   GLOBAL const int *found, GLOBAL const int *start, GLOBAL int *a, GLOBAL int *b) {
  FOR_CHUNKS (run, run_count) {
    GLOBAL int *first = a + start[run], *second = b + start[run];
    if (found[run] > pool_size) {
      front_meet_run(run, count, first_leaf, 0, is_all_active, active, node, leaves, leaf_active, fork, 0, 0,
                     order, first, second);
    } else {
      GLOBAL const int *own = pool + run * (pool_size + BVH_LEAF);
      for (int i = 0; i < found[run]; i++) {
        int place = own[i] & 0x0fffffff, child = place / BVH_LEAF;
        int f = run * FRONT_MEET_RUN + child / 4, c = child & 3;
        int left = fork_child_p(fork[2 * f], c) - first_leaf;
        int right = fork_child_q(fork[2 * f + 1], c) - first_leaf;
        int p = order[BVH_LEAF * left + (own[i] >> 28)],
            q = order[BVH_LEAF * right + (place & (BVH_LEAF - 1))];
        first[i] = p < q ? p : q;
        second[i] = p < q ? q : p;
      }
    }
  }
}

KERNEL front_count_kept(int run_count, int count, GLOBAL const int *fork, GLOBAL int *kept) {
  FOR_CHUNKS (run, run_count) {
    int own = 0;
    for (int f = run * FRONT_RUN; f < (run + 1) * FRONT_RUN && f < count; f++) own += fork[2 * f] != 0;
    kept[run] = own;
  }
}

KERNEL front_keep(int run_count, int count, GLOBAL const int *fork, GLOBAL const int *start, GLOBAL int *to) {
  FOR_CHUNKS (run, run_count) {
    int at = start[run];
    for (int f = run * FRONT_RUN; f < (run + 1) * FRONT_RUN && f < count; f++) {
      if (fork[2 * f] == 0) continue;
      to[2 * at] = fork[2 * f];
      to[2 * at + 1] = fork[2 * f + 1];
      at++;
    }
  }
}

/* What the viewer's server reads out of a request by itself. The library behind it (libwebsockets) splits a
 * request into lines and undoes %-escapes; what these functions are given is still whatever somebody sent.
 *
 * Nothing of a path ever reaches the file system: it is compared with the few names there are. */
#ifndef WEFT_VIEW_REQUEST_H
#define WEFT_VIEW_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum WeftViewKind {
  WEFT_VIEW_NOTHING, /* no such page */
  WEFT_VIEW_PAGE,
  WEFT_VIEW_RUNS, /* what there is, JSON */
  WEFT_VIEW_FILE  /* one of the few files of a run */
} WeftViewKind;

/* Files of a run that may be asked for. */
typedef enum WeftViewFile {
  WEFT_VIEW_FRAMES,
  WEFT_VIEW_TIMELINE,
  WEFT_VIEW_REPORT,
  WEFT_VIEW_CHECK,
  WEFT_VIEW_FILE_COUNT
} WeftViewFile;

typedef struct WeftViewTarget {
  WeftViewKind kind;
  int run;
  WeftViewFile file;
} WeftViewTarget;

/* The last part of the address of a file, "frames". */
const char *weft_view_file_name(WeftViewFile file);

/* "/", "/runs" or "/run/N/NAME", and nothing else. */
WeftViewTarget weft_view_route(const char *path, int run_count);

/* A page of somebody else can make the browser ask us under a name of its own that leads here (DNS
 * rebinding): so only this machine's names are answered. host: as sent, NULL when there was none; bound: the
 * address that is listened on. Listening beyond loopback, every numeric address is ours. */
bool weft_view_host_is_ours(const char *host, const char *bound, int port);
/* NULL is fine: a browser sends it with requests of other pages. */
bool weft_view_origin_is_ours(const char *origin, const char *bound, int port);

typedef enum WeftViewRange {
  WEFT_VIEW_WHOLE,   /* no range, or one that is not understood, which HTTP says to ignore */
  WEFT_VIEW_PART,    /* first to last, within the file */
  WEFT_VIEW_OUTSIDE, /* 416 */
} WeftViewRange;
/* One range of bytes: "bytes=0-99", "bytes=100-", "bytes=-8". text may be NULL. */
WeftViewRange weft_view_range(const char *text, uint64_t size, uint64_t *first, uint64_t *last);

#endif

/* What is shown: the files of a run's folder, a cache alone, or a mesh, which becomes a cache of one frame in
 * memory. Files are looked for in the folder that was given, by the names below and by no other, and never
 * through a symbolic link. */
#ifndef WEFT_VIEW_SOURCE_H
#define WEFT_VIEW_SOURCE_H

#include "base/error.h"
#include "view/request.h"

typedef struct WeftViewSource {
  char *label;                       /* as given, for people */
  int folder;                        /* open; -1: only bytes */
  char *names[WEFT_VIEW_FILE_COUNT]; /* in the folder; NULL: there is none */
  unsigned char *bytes;              /* a mesh as a cache */
  size_t size;
} WeftViewSource;

/* path: a folder, a cache or a mesh (OBJ, PLY). */
WeftResult weft_view_source_open(WeftViewSource *source, const char *path, WeftError *error);
void weft_view_source_close(WeftViewSource *source);

/* A regular file of the folder, open for reading; -1 when there is none, or it is a link. */
int weft_view_source_file(const WeftViewSource *source, WeftViewFile file, uint64_t *size);

/* The runs with the sizes of their files, as JSON; freed by the caller. */
WeftResult weft_view_describe(const WeftViewSource *sources, int count, char **text, size_t *size,
                              WeftError *error);

/* A mesh as the bytes of a cache with one frame. */
WeftResult weft_view_mesh_cache(const char *path, unsigned char **bytes, size_t *size, WeftError *error);

#endif

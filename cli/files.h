/* Files of the command line: folders, files that appear when complete, and where shipped scenes are. */
#ifndef WEFT_CLI_FILES_H
#define WEFT_CLI_FILES_H

#include <weft/types.h>

#include <stdio.h>

/* "folder/name"; freed by the caller, NULL when out of memory. */
char *join_path(const char *folder, const char *name);
/* Makes a folder and those above it. False with errno set; a folder that is there is fine. */
bool make_folder(const char *path);
/* False, with errno set, when no file can be made in the folder. */
bool can_write_in(const char *folder);

/* Waits until the file or folder is on the disk. False with errno set. */
bool sync_path(const char *path);

/* A file written beside its final name. */
typedef struct NewFile {
  FILE *stream;
  char *path, *beside;
} NewFile;
/* False after a message. */
bool new_file_open(NewFile *file, const char *path);
/* Renames when everything went well, removes it otherwise; false after a message. */
bool new_file_close(NewFile *file);
/* Removes it. */
void new_file_drop(NewFile *file);
/* Text to a file; "-" is standard output. False after a message. */
bool write_text(const char *path, const char *text);

/* The file a scene argument means: as given, or a scene that ships. Freed by the caller; NULL when there is
 * none. */
char *find_scene(const char *name);
/* The names of shipped scenes in order, without ".json". */
typedef struct SceneNames {
  char **items;
  int count;
} SceneNames;
bool list_scenes(SceneNames *names);
void free_scenes(SceneNames *names);

#endif

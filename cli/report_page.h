/* Parts of the page that weft report writes. */
#ifndef WEFT_CLI_REPORT_PAGE_H
#define WEFT_CLI_REPORT_PAGE_H

#include "cli/read_table.h"

#include <stdio.h>

/* Up to <main>, and from </main> on. title: as it is, not escaped yet. */
void page_begin(FILE *stream, const char *title);
void page_end(FILE *stream);

/* Stills of a run's folder or cache, in the page; says so where there is nothing to draw. False after a
 * message. */
bool page_pictures(FILE *stream, const char *folder, int32_t threads);
/* Plots of a run's tables; either may be empty. False after a message. */
bool page_plots(FILE *stream, const Table *timeline);
/* The timeline's columns of seconds by stage, those that usually take longest first. */
enum { PAGE_STAGES = 6 };
extern const char *const page_stages[PAGE_STAGES];
/* report.json as tables; *name: the scene's name, into a buffer. False after a message when the file is there
 * but cannot be read. */
bool page_numbers(FILE *stream, const char *folder);

#endif

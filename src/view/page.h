/* The viewer's page, made by viewer/ and compiled in. */
#ifndef WEFT_VIEW_PAGE_H
#define WEFT_VIEW_PAGE_H

#include <stddef.h>

/* One HTML file with everything in it. Size 0: this weft was built without the viewer. */
extern const unsigned char weft_view_page[];
extern const size_t weft_view_page_size;

#endif

/* Arrays. Sizes are checked for overflow; a count of zero gives a valid pointer, so that NULL means out of
 * memory. */
#ifndef WEFT_BASE_MEMORY_H
#define WEFT_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Zeroed, or NULL. */
void *weft_alloc(size_t count, size_t size);
/* A copy of count items, or NULL. */
void *weft_copy(const void *source, size_t count, size_t size);
/* Grows *items so that it holds needed items, at least doubling; false and unchanged when out of memory. */
bool weft_grow(void **items, size_t *capacity, size_t needed, size_t size);
char *weft_copy_text(const char *text);

#define WEFT_NEW(type, count) ((type *)weft_alloc((size_t)(count), sizeof(type)))

#endif

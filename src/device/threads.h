/* How many threads the kernels of the calling thread use. A world sets its number on the way in and puts back
 * what it found on the way out, so that worlds on several threads do not disturb each other. */
#ifndef WEFT_DEVICE_THREADS_H
#define WEFT_DEVICE_THREADS_H

/* As many as there are cores. */
int weft_threads_available(void);
/* Returns what was set before. */
int weft_threads_use(int count);

#endif

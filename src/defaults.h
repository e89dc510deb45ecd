/* Definitions carry a cookie that only their makers set: it catches one that was not initialised. */
#ifndef WEFT_DEFAULTS_H
#define WEFT_DEFAULTS_H

#define WEFT_COOKIE 0x77656674u /* "weft" */

#endif

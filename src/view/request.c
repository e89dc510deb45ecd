#include "view/request.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char *const file_names[WEFT_VIEW_FILE_COUNT] = {"frames", "timeline", "report", "check"};

const char *weft_view_file_name(WeftViewFile file) { return file_names[file]; }

/* Digits without a sign; false where there are none or too many for 64 bits. *text is moved behind them. */
static bool take_number(const char **text, uint64_t *number) {
  const char *at = *text;
  *number = 0;
  for (; *at >= '0' && *at <= '9'; at++) {
    if (*number > (UINT64_MAX - 9) / 10) return false;
    *number = 10 * *number + (uint64_t)(*at - '0');
  }
  bool is_there = at != *text;
  *text = at;
  return is_there;
}

WeftViewTarget weft_view_route(const char *path, int run_count) {
  static const char prefix[] = "/run/";
  WeftViewTarget nothing = {.kind = WEFT_VIEW_NOTHING};
  if (strcmp(path, "/") == 0) return (WeftViewTarget){.kind = WEFT_VIEW_PAGE};
  if (strcmp(path, "/runs") == 0) return (WeftViewTarget){.kind = WEFT_VIEW_RUNS};
  if (strncmp(path, prefix, sizeof prefix - 1) != 0) return nothing;
  const char *at = path + sizeof prefix - 1;
  uint64_t run;
  if (!take_number(&at, &run) || run >= (uint64_t)run_count || *at != '/') return nothing;
  for (int f = 0; f < WEFT_VIEW_FILE_COUNT; f++)
    if (strcmp(at + 1, file_names[f]) == 0)
      return (WeftViewTarget){.kind = WEFT_VIEW_FILE, .run = (int)run, .file = (WeftViewFile)f};
  return nothing;
}

static bool is_numeric(const char *name) {
  unsigned char address[sizeof(struct in6_addr)];
  return inet_pton(AF_INET, name, address) == 1 || inet_pton(AF_INET6, name, address) == 1;
}

/* name[:port], with an IPv6 address in brackets; an absent port is HTTP's. */
static bool split_host(const char *host, char *name, size_t room, uint64_t *port) {
  bool has_brackets = *host == '[';
  if (has_brackets) host++;
  size_t length = strcspn(host, has_brackets ? "]" : ":");
  if (length == 0 || length >= room) return false;
  memcpy(name, host, length);
  name[length] = 0;
  host += length;
  if (has_brackets && *host++ != ']') return false;
  *port = 80;
  if (!*host) return true;
  return *host++ == ':' && take_number(&host, port) && !*host;
}

static bool is_loopback(const char *address) {
  return strncmp(address, "127.", 4) == 0 || strcmp(address, "::1") == 0;
}

bool weft_view_host_is_ours(const char *host, const char *bound, int port) {
  char name[64];
  uint64_t sent;
  if (!host || !split_host(host, name, sizeof name, &sent) || sent != (uint64_t)port) return false;
  if (strcasecmp(name, "localhost") == 0 || strcmp(name, bound) == 0) return true;
  if (!is_numeric(name)) return false;
  return is_loopback(bound) ? is_loopback(name) : true;
}

bool weft_view_origin_is_ours(const char *origin, const char *bound, int port) {
  static const char scheme[] = "http://";
  if (!origin) return true;
  return strncasecmp(origin, scheme, sizeof scheme - 1) == 0 &&
         weft_view_host_is_ours(origin + sizeof scheme - 1, bound, port);
}

WeftViewRange weft_view_range(const char *text, uint64_t size, uint64_t *first, uint64_t *last) {
  static const char unit[] = "bytes=";
  uint64_t a, b;
  if (!text || strncasecmp(text, unit, sizeof unit - 1) != 0) return WEFT_VIEW_WHOLE;
  const char *at = text + sizeof unit - 1;
  bool has_first = take_number(&at, &a);
  if (*at++ != '-') return WEFT_VIEW_WHOLE;
  bool has_last = take_number(&at, &b);
  if (*at || (!has_first && !has_last) || (has_first && has_last && b < a)) return WEFT_VIEW_WHOLE;
  if (!has_first) { /* the last b bytes */
    if (b == 0 || size == 0) return WEFT_VIEW_OUTSIDE;
    *first = b < size ? size - b : 0;
    *last = size - 1;
    return WEFT_VIEW_PART;
  }
  if (a >= size) return WEFT_VIEW_OUTSIDE;
  *first = a;
  *last = has_last && b < size ? b : size - 1;
  return WEFT_VIEW_PART;
}

/* libwebsockets runs the connections in one loop: slow and half-open ones cost a socket each until their time
 * is over, and nobody else waits for them. */
#include "view/server.h"

#include "base/memory.h"
#include "view/page.h"

#include <arpa/inet.h>
#include <errno.h>
#include <libwebsockets.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  CHUNK = 256 * 1024,     /* bytes sent at a time */
  MOST_HEADERS = 4096,    /* bytes of a request; what is longer is refused */
  MOST_CONNECTIONS = 512, /* at a time; more are closed at once */
  MOST_HEADER_SETS = 256, /* requests that may be read at the same time */
  REQUEST_SECONDS = 5,    /* for a request to be complete, and for each part of an answer to be taken */
  IDLE_SECONDS = 30,      /* of a connection between requests */
  MOST_HOST = 256
};

/* Security by headers: nothing is guessed, embedded or remembered. */
static const char *const common_headers[][2] = {{"x-content-type-options:", "nosniff"},
                                                {"x-frame-options:", "DENY"},
                                                {"cross-origin-resource-policy:", "same-origin"},
                                                {"referrer-policy:", "no-referrer"},
                                                {"cache-control:", "no-store"},
                                                {"accept-ranges:", "bytes"}};

struct WeftViewServer {
  struct lws_context *context;
  struct lws_vhost *vhost;
  const char *address;
  const WeftViewSource *sources;
  int source_count;
  lws_sorted_usec_list_t tick;
  unsigned char *chunk; /* LWS_PRE + CHUNK */
};

/* What a connection still has to send: bytes, or a file. Zeroed by libwebsockets. */
typedef struct Connection {
  bool is_open; /* file is ours */
  int file;
  const unsigned char *bytes;
  char *owned; /* bytes to be freed */
  uint64_t at, end;
} Connection;

/* An answer before it is sent. */
typedef struct Answer {
  unsigned status;
  const char *type;
  uint64_t total; /* of the file, for ranges */
  bool is_closing;
} Answer;

static void release(Connection *connection) {
  if (connection->is_open) close(connection->file);
  free(connection->owned);
  memset(connection, 0, sizeof *connection);
}

/* Headers, and the body from connection; with HEAD only the headers. */
static int send_answer(struct lws *wsi, Connection *connection, const Answer *answer, bool has_body) {
  unsigned char buffer[LWS_PRE + 2048], *start = buffer + LWS_PRE, *at = start,
                                        *end = buffer + sizeof buffer - 1;
  uint64_t length = connection->end - connection->at;
  char range[96];
  bool is_bad = lws_add_http_header_status(wsi, answer->status, &at, end);
  is_bad = is_bad ||
           lws_add_http_header_by_token(wsi, WSI_TOKEN_HTTP_CONTENT_TYPE, (const unsigned char *)answer->type,
                                        (int)strlen(answer->type), &at, end);
  for (size_t i = 0; i < sizeof common_headers / sizeof *common_headers && !is_bad; i++)
    is_bad = lws_add_http_header_by_name(wsi, (const unsigned char *)common_headers[i][0],
                                         (const unsigned char *)common_headers[i][1],
                                         (int)strlen(common_headers[i][1]), &at, end);
  if (answer->status == 206 || answer->status == 416) {
    int size = answer->status == 206
                   ? snprintf(range, sizeof range, "bytes %llu-%llu/%llu", (unsigned long long)connection->at,
                              (unsigned long long)(connection->end - 1), (unsigned long long)answer->total)
                   : snprintf(range, sizeof range, "bytes */%llu", (unsigned long long)answer->total);
    is_bad = is_bad || lws_add_http_header_by_token(wsi, WSI_TOKEN_HTTP_CONTENT_RANGE,
                                                    (const unsigned char *)range, size, &at, end);
  }
  is_bad = is_bad || lws_add_http_header_content_length(wsi, (lws_filepos_t)length, &at, end) ||
           lws_finalize_write_http_header(wsi, start, &at, end);
  if (is_bad) return -1;
  if (has_body && length > 0) {
    lws_callback_on_writable(wsi);
    return 0;
  }
  release(connection);
  return answer->is_closing || lws_http_transaction_completed(wsi) ? -1 : 0;
}

/* A sentence instead of what was asked for. */
static int refuse(struct lws *wsi, Connection *connection, unsigned status, const char *why, bool has_body) {
  connection->bytes = (const unsigned char *)why;
  connection->at = 0;
  connection->end = strlen(why);
  return send_answer(wsi, connection, &(Answer){status, "text/plain; charset=utf-8", 0, !has_body}, has_body);
}

/* A header's value; NULL when there is none, "" when it is too long to be any of ours. */
static const char *header(struct lws *wsi, enum lws_token_indexes token, char *room, int size) {
  if (lws_hdr_total_length(wsi, token) <= 0) return NULL;
  if (lws_hdr_copy(wsi, room, size, token) < 0) room[0] = 0;
  return room;
}

static int send_file(WeftViewServer *server, struct lws *wsi, Connection *connection,
                     const WeftViewTarget *target, bool has_body) {
  const WeftViewSource *source = &server->sources[target->run];
  char room[128];
  uint64_t size = 0, last = 0;
  if (target->file == WEFT_VIEW_FRAMES && source->bytes) {
    connection->bytes = source->bytes;
    size = source->size;
  } else {
    connection->file = weft_view_source_file(source, target->file, &size);
    connection->is_open = connection->file >= 0;
    if (!connection->is_open) return refuse(wsi, connection, 404, "no such file\n", has_body);
  }
  Answer answer = {
      200, target->file == WEFT_VIEW_FRAMES ? "application/octet-stream" : "text/plain; charset=utf-8", size,
      false};
  const char *text = header(wsi, WSI_TOKEN_HTTP_RANGE, room, sizeof room);
  connection->end = size;
  switch (weft_view_range(text, size, &connection->at, &last)) {
    case WEFT_VIEW_WHOLE:
      break;
    case WEFT_VIEW_PART:
      answer.status = 206;
      connection->end = last + 1;
      break;
    case WEFT_VIEW_OUTSIDE:
      answer.status = 416;
      connection->at = connection->end = 0;
      break;
  }
  return send_answer(wsi, connection, &answer, has_body);
}

static int send_runs(WeftViewServer *server, struct lws *wsi, Connection *connection, bool has_body) {
  size_t size;
  if (weft_view_describe(server->sources, server->source_count, &connection->owned, &size, NULL))
    return refuse(wsi, connection, 503, "out of memory\n", has_body);
  connection->bytes = (const unsigned char *)connection->owned;
  connection->end = size;
  return send_answer(wsi, connection, &(Answer){200, "application/json", size, false}, has_body);
}

static int send_page(struct lws *wsi, Connection *connection, bool has_body) {
  if (!weft_view_page_size)
    return refuse(wsi, connection, 503, "this weft was built without the viewer\n", has_body);
  connection->bytes = weft_view_page;
  connection->end = weft_view_page_size;
  return send_answer(wsi, connection, &(Answer){200, "text/html; charset=utf-8", connection->end, false},
                     has_body);
}

static int answer_request(WeftViewServer *server, struct lws *wsi, Connection *connection, const char *path,
                          size_t length) {
  char host[MOST_HOST], origin[MOST_HOST];
  char *uri;
  int uri_length, method = lws_http_get_uri_and_method(wsi, &uri, &uri_length);
  bool has_body = method != LWSHUMETH_HEAD;
  int port = weft_view_server_port(server);
  release(connection);
  if (method != LWSHUMETH_GET && method != LWSHUMETH_HEAD)
    return refuse(wsi, connection, 405, "only GET and HEAD\n", has_body);
  if (lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH) > 0 ||
      lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_TRANSFER_ENCODING) > 0)
    return -1; /* nothing here takes a body */
  if (!weft_view_host_is_ours(header(wsi, WSI_TOKEN_HOST, host, sizeof host), server->address, port))
    return refuse(wsi, connection, 403, "this name is not ours\n", has_body);
  if (!weft_view_origin_is_ours(header(wsi, WSI_TOKEN_ORIGIN, origin, sizeof origin), server->address, port))
    return refuse(wsi, connection, 403, "not for other pages\n", has_body);
  if (strlen(path) != length) return refuse(wsi, connection, 404, "no such page\n", has_body);
  WeftViewTarget target = weft_view_route(path, server->source_count);
  switch (target.kind) {
    case WEFT_VIEW_PAGE:
      return send_page(wsi, connection, has_body);
    case WEFT_VIEW_RUNS:
      return send_runs(server, wsi, connection, has_body);
    case WEFT_VIEW_FILE:
      return send_file(server, wsi, connection, &target, has_body);
    default:
      return refuse(wsi, connection, 404, "no such page\n", has_body);
  }
}

static int send_more(WeftViewServer *server, struct lws *wsi, Connection *connection) {
  uint64_t left = connection->end - connection->at;
  size_t size = left < CHUNK ? (size_t)left : CHUNK;
  unsigned char *chunk = server->chunk + LWS_PRE;
  if (size == 0) return 0;
  if (connection->bytes) {
    memcpy(chunk, connection->bytes + connection->at, size);
  } else {
    ssize_t got = pread(connection->file, chunk, size, (off_t)connection->at);
    if (got <= 0) return -1; /* cut off meanwhile: the length that was promised cannot be kept */
    size = (size_t)got;
  }
  connection->at += size;
  bool is_last = connection->at == connection->end;
  if (lws_write(wsi, chunk, size, is_last ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) < 0) return -1;
  lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, REQUEST_SECONDS);
  if (!is_last) {
    lws_callback_on_writable(wsi);
    return 0;
  }
  release(connection);
  return lws_http_transaction_completed(wsi) ? -1 : 0;
}

static int on_event(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t length) {
  WeftViewServer *server = lws_context_user(lws_get_context(wsi));
  switch (reason) {
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
      return -1; /* to nothing, neither WebSocket nor HTTP/2 */
    case LWS_CALLBACK_HTTP:
      return answer_request(server, wsi, user, in, length);
    case LWS_CALLBACK_HTTP_WRITEABLE:
      return send_more(server, wsi, user);
    case LWS_CALLBACK_CLOSED_HTTP:
    case LWS_CALLBACK_HTTP_DROP_PROTOCOL:
      if (user) release(user);
      return 0;
    default:
      return 0;
  }
}

/* Wakes the loop up, so that a signal that came just before it went to sleep is seen. */
static void on_tick(lws_sorted_usec_list_t *tick) {
  WeftViewServer *server = lws_container_of(tick, WeftViewServer, tick);
  lws_sul_schedule(server->context, 0, tick, on_tick, LWS_USEC_PER_SEC / 4);
}

/* Whether the address can be listened on; libwebsockets would wait for an address to appear. 0, or errno. */
static int try_address(const char *address, int port) {
  struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port)};
  bool is_v6 = strchr(address, ':') != NULL;
  void *place = is_v6 ? (void *)&v6.sin6_addr : (void *)&v4.sin_addr;
  if (inet_pton(is_v6 ? AF_INET6 : AF_INET, address, place) != 1) return EADDRNOTAVAIL;
  int one = 1, handle = socket(is_v6 ? AF_INET6 : AF_INET, SOCK_STREAM, 0);
  if (handle < 0) return errno;
  setsockopt(handle, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  int code = is_v6 ? bind(handle, (struct sockaddr *)&v6, sizeof v6)
                   : bind(handle, (struct sockaddr *)&v4, sizeof v4);
  int reason = code ? errno : 0;
  close(handle);
  return reason;
}

WeftResult weft_view_server_start(WeftViewServer **server, const char *address, int port,
                                  const WeftViewSource *sources, int count, WeftError *error) {
  static const struct lws_protocols protocols[] = {{"http", on_event, sizeof(Connection), 0, 0, NULL, 0},
                                                   {0}};
  *server = NULL;
  int reason = try_address(address, port);
  if (reason)
    return weft_fail(error, WEFT_RESULT_IO, "cannot listen on %s, port %d: %s", address, port,
                     strerror(reason));
  WeftViewServer *made = WEFT_NEW(WeftViewServer, 1);
  if (!made) return weft_fail_memory(error, "the viewer's server");
  made->address = address;
  made->sources = sources;
  made->source_count = count;
  made->chunk = malloc(LWS_PRE + CHUNK);
  lws_set_log_level(0, NULL);
  struct lws_context_creation_info info = {
      .port = port,
      .iface = address,
      .protocols = protocols,
      .gid = (gid_t)-1,
      .uid = (uid_t)-1,
      .user = made,
      .max_http_header_data = MOST_HEADERS,
      .max_http_header_pool = MOST_HEADER_SETS,
      .fd_limit_per_thread = MOST_CONNECTIONS,
      .timeout_secs = REQUEST_SECONDS,
      .timeout_secs_ah_idle = REQUEST_SECONDS,
      .keepalive_timeout = IDLE_SECONDS,
      .options = LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND | LWS_SERVER_OPTION_EXPLICIT_VHOSTS};
  made->context = made->chunk ? lws_create_context(&info) : NULL;
  made->vhost = made->context ? lws_create_vhost(made->context, &info) : NULL;
  if (made->vhost && weft_view_server_port(made) > 0) {
    *server = made;
    on_tick(&made->tick);
    return WEFT_RESULT_OK;
  }
  weft_view_server_stop(made);
  return weft_fail(error, WEFT_RESULT_IO, "cannot listen on %s, port %d", address, port);
}

int weft_view_server_port(const WeftViewServer *server) { return lws_get_vhost_listen_port(server->vhost); }

void weft_view_server_run(WeftViewServer *server, const volatile sig_atomic_t *stop) {
  while (!*stop && lws_service(server->context, 0) >= 0) {
  }
}

void weft_view_server_stop(WeftViewServer *server) {
  if (!server) return;
  if (server->context) lws_context_destroy(server->context);
  free(server->chunk);
  free(server);
}

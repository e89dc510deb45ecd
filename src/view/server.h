/* The viewer's server: HTTP on loopback, one thread, for the folders it was given and nothing else. */
#ifndef WEFT_VIEW_SERVER_H
#define WEFT_VIEW_SERVER_H

#include "view/source.h"

#include <signal.h>

typedef struct WeftViewServer WeftViewServer;

/* port 0: any that is free. The sources stay the caller's, and are kept until the server is stopped. */
WeftResult weft_view_server_start(WeftViewServer **server, const char *address, int port,
                                  const WeftViewSource *sources, int count, WeftError *error);
int weft_view_server_port(const WeftViewServer *server);
/* Answers until *stop is set, by a signal say. */
void weft_view_server_run(WeftViewServer *server, const volatile sig_atomic_t *stop);
/* NULL is fine. */
void weft_view_server_stop(WeftViewServer *server);

#endif

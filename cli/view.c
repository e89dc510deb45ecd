/* weft view: the viewer in the browser. */
#include "cli/cli.h"
#include "view/page.h"
#include "view/server.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_RUNS = 2, MOST_PORT = 65535 };

static volatile sig_atomic_t is_stopped;

static void stop(int signal_number) {
  (void)signal_number;
  is_stopped = 1;
}

/* Started by a child of a child, so that nobody has to wait for it. */
static void open_browser(const char *address) {
  if (!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY")) return;
  pid_t child = fork();
  if (child == 0) {
    if (fork() == 0) {
      execlp("xdg-open", "xdg-open", address, (char *)NULL);
      _exit(EXIT_FAILED);
    }
    _exit(EXIT_FINE);
  }
  if (child > 0) waitpid(child, NULL, 0);
}

static int serve(const WeftViewSource *sources, int count, const char *bind, int port, bool has_browser) {
  WeftError error;
  WeftViewServer *server;
  struct sigaction action = {.sa_handler = stop};
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  if (weft_view_server_start(&server, bind, port, sources, count, &error) != WEFT_RESULT_OK)
    return fail("%s", error.message);
  char address[128];
  bool is_v6 = strchr(bind, ':');
  snprintf(address, sizeof address, "http://%s%s%s:%d/", is_v6 ? "[" : "", bind, is_v6 ? "]" : "",
           weft_view_server_port(server));
  printf("viewer at %s; Ctrl-C ends it\n", address);
  int code = finish_stdout();
  if (code == EXIT_FINE && has_browser) open_browser(address);
  if (code == EXIT_FINE) weft_view_server_run(server, &is_stopped);
  weft_view_server_stop(server);
  return code;
}

static int run_view(int argument_count, char **arguments) {
  int left;
  bool is_help, has_no_browser = false;
  int32_t port = 0;
  const char *bind = "127.0.0.1";
  const Option options[] = {{"port", OPTION_COUNT, &port, 0},
                            {"bind", OPTION_TEXT, &bind, 0},
                            {"no-browser", OPTION_FLAG, &has_no_browser, 0},
                            {.kind = OPTION_END}};
  int code = parse_options(&verb_view, options, argument_count, arguments, &left, &is_help);
  if (code != EXIT_FINE || is_help) return code;
  if (left < 1 || left > MOST_RUNS) return fail_usage(&verb_view, "one or two things to look at, please");
  if (port > MOST_PORT) return fail_usage(&verb_view, "--port is %d, at most %d", port, MOST_PORT);
  if (!weft_view_page_size)
    return fail("this weft was built without the viewer: Node.js was missing then (docs/build.md)");
  WeftViewSource sources[MOST_RUNS];
  WeftError error;
  int count = 0;
  for (; count < left; count++)
    if (weft_view_source_open(&sources[count], arguments[count], &error) != WEFT_RESULT_OK) {
      code = fail("%s", error.message);
      break;
    }
  if (code == EXIT_FINE) code = serve(sources, count, bind, port, !has_no_browser);
  while (count > 0) weft_view_source_close(&sources[--count]);
  return code;
}

const Verb verb_view = {
    .name = "view",
    .arguments = "DIR|CACHE|MESH [DIR|CACHE|MESH] [options]",
    .summary = "Look at a run in the browser, also while it goes on.",
    .details =
        "Takes the folder of a run, a cache of frames, or a mesh (OBJ or PLY); two of them are shown side "
        "by\n"
        "side. The page comes from this program, and only this machine can reach it.\n\n"
        "  --port N      listen there; default: any free port\n"
        "  --no-browser  only tell the address\n"
        "  --bind A      listen on another address of this machine than 127.0.0.1. Whoever can reach it can\n"
        "                then read what is shown\n",
    .run = run_view,
};

/* The page's frame: style, light and dark by the reader's choice, one column on phones. */
#include "cli/report_page.h"

#include "cli/plot.h"

#include <weft/weft.h>

static const char style[] =
    ":root{color-scheme:light dark;--paper:#fbfaf8;--card:#fff;--ink:#23262b;--quiet:#646a73;--rule:#e2dfd9;"
    "--c0:#2f6fb5;--c1:#c8553d;--c2:#3f8f5f;--c3:#b8860b;--c4:#7d4f9e;--c5:#3a9ba6}\n"
    "@media(prefers-color-scheme:dark){:root{--paper:#17191c;--card:#1f2226;--ink:#e6e4df;--quiet:#a0a5ad;"
    "--rule:#363a40;--c0:#7fb2ea;--c1:#ee8e77;--c2:#7cc79a;--c3:#e3b94f;--c4:#bd95dc;--c5:#6fcbd4}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif}\n"
    "main{max-width:1180px;margin:0 auto;padding:1.5rem 1rem 4rem}\n"
    "h1{font-size:1.9rem;line-height:1.2;margin:.5rem 0 .25rem}h2{font-size:1.25rem;margin:2.5rem 0 .75rem}\n"
    "p{margin:.25rem 0}.lead,.note,figcaption{color:var(--quiet)}.note,figcaption{font-size:.9rem}\n"
    "figcaption b{color:var(--ink)}figure{margin:0}\n"
    ".stills,.plots{display:grid;gap:1rem;grid-template-columns:repeat(auto-fit,minmax(min(100%,30rem),1fr))}"
    "\n"
    ".plot,.still{background:var(--card);border:1px solid var(--rule);border-radius:.5rem;overflow:hidden}\n"
    ".plot{padding:.75rem 1rem}.still figcaption{padding:.4rem .75rem}\n"
    "img,svg{display:block;width:100%;height:auto}\n"
    "svg text{fill:var(--quiet);font-size:12.5px}.grid{stroke:var(--rule)}.axis{stroke:var(--quiet)}\n"
    ".line{fill:none;stroke:var(--c);stroke-width:1.8;stroke-linejoin:round}.area{fill:var(--c);"
    "stroke:var(--card);stroke-width:.6}\n"
    ".c0{--c:var(--c0)}.c1{--c:var(--c1)}.c2{--c:var(--c2)}.c3{--c:var(--c3)}.c4{--c:var(--c4)}"
    ".c5{--c:var(--c5)}\n"
    ".key{list-style:none;display:flex;flex-wrap:wrap;gap:.2rem 1rem;margin:.25rem 0 "
    "0;padding:0;font-size:.9rem}\n"
    ".key "
    "i{display:inline-block;width:.8em;height:.8em;border-radius:.2em;background:var(--c);margin-right:.4em}"
    "\n"
    ".tables{columns:2 26rem;column-gap:1rem}.tables .wide{column-span:all}.scroll{overflow-x:auto}\n"
    "table{border-collapse:collapse;width:100%;margin:0 0 1.25rem;font-size:.93rem;break-inside:avoid}\n"
    "caption{text-align:left;font-weight:600;padding:.25rem 0}\n"
    "th,td{text-align:left;padding:.2rem .6rem .2rem 0;border-top:1px solid var(--rule);vertical-align:top}\n"
    "th[scope=row]{width:52%}th{font-weight:400;color:var(--quiet)}td{font-variant-numeric:tabular-nums;"
    "overflow-wrap:anywhere}\n"
    "footer{color:var(--quiet);font-size:.9rem;border-top:1px solid "
    "var(--rule);margin-top:2rem;padding-top:.75rem}\n";

void page_begin(FILE *stream, const char *title) {
  fputs(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
      stream);
  write_escaped(stream, title);
  fprintf(stream, " – weft</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n", style);
}

void page_end(FILE *stream) {
  fprintf(stream,
          "<footer>Written by weft %s. Units are SI unless said.</footer>\n</main>\n</body>\n</html>\n",
          weft_version());
}

# cmake -DOUT=viewer_page.c -DPAGE=index.html -P embed_viewer.cmake
# Writes a C file with the page as bytes; an empty PAGE gives none.
set(bytes)
if(PAGE)
  file(READ ${PAGE} hex HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
endif()
file(WRITE ${OUT} "/* Generated from viewer/ by cmake/embed_viewer.cmake. */\n#include \"view/page.h\"\n\n"
  "const unsigned char weft_view_page[] = {${bytes}0};\nconst size_t weft_view_page_size = sizeof weft_view_page - 1;\n")

# cmake -DOUT=kernels.c -DSOURCE=src -P embed_kernels.cmake -- a.kernel.h b.kernel.h ...
# Writes a C file with the text of all kernels as one OpenCL C source: includes are resolved here, each file once, so that
# a driver needs no files. A #line directive before each lets the driver's messages name the file.
cmake_policy(VERSION 3.25)
set(files)
set(take OFF)
foreach(index RANGE 1 ${CMAKE_ARGC})
  if(take AND index LESS CMAKE_ARGC)
    list(APPEND files ${CMAKE_ARGV${index}})
  elseif("${CMAKE_ARGV${index}}" STREQUAL "--")
    set(take ON)
  endif()
endforeach()
list(SORT files)

set(seen)
set(hex)
# name: from src/ on. Semicolons and brackets are CMake's own, so the text is looked at line by line in hexadecimal.
function(append_file name)
  if(name IN_LIST seen)
    return()
  endif()
  list(APPEND seen ${name})
  file(STRINGS ${SOURCE}/${name} includes REGEX "^#include \"[^\"]+\"")
  foreach(line ${includes})
    string(REGEX REPLACE "^#include \"([^\"]+)\".*" "\\1" included "${line}")
    append_file(${included})
  endforeach()
  file(READ ${SOURCE}/${name} text HEX)
  # #include "  becomes  //nclude " : line numbers stay
  string(REPLACE "23696e636c7564652022" "2f2f6e636c7564652022" text "${text}")
  string(HEX "#line 1 \"${name}\"\n" line)
  set(hex "${hex}${line}${text}" PARENT_SCOPE)
  set(seen ${seen} PARENT_SCOPE)
endfunction()
foreach(file ${files})
  file(RELATIVE_PATH name ${SOURCE} ${file})
  append_file(${name})
endforeach()

string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
file(WRITE ${OUT} "/* Generated from src/ by cmake/embed_kernels.cmake. */\n#include \"device/kernels.h\"\n\n"
  "static const unsigned char text[] = {${bytes}0};\nconst char *const weft_kernel_text = (const char *)text;\n"
  "const size_t weft_kernel_text_size = sizeof text - 1;\n")

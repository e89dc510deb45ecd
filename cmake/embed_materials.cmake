# cmake -DOUT=materials.c -P embed_materials.cmake -- a.json b.json ...
# Writes a C file with the text of every material file and its "source", as bytes: no quoting to get wrong.
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

function(append_bytes identifier text)
  string(HEX "${text}" hex)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
  set(code "${code}static const unsigned char ${identifier}[] = {${bytes}0};\n" PARENT_SCOPE)
endfunction()

set(code "/* Generated from materials/ by cmake/embed_materials.cmake. */\n#include \"material/material.h\"\n\n")
set(table)
list(LENGTH files count)
foreach(file ${files})
  get_filename_component(name ${file} NAME_WE)
  file(READ ${file} text)
  string(JSON source GET "${text}" source)
  append_bytes(json_${name} "${text}")
  append_bytes(source_${name} "${source}")
  string(APPEND table "    {\"${name}\", (const char *)source_${name}, (const char *)json_${name}, "
    "sizeof json_${name} - 1},\n")
endforeach()
string(APPEND code "\nconst WeftLibraryMaterial weft_material_library[] = {\n${table}};\n"
  "const int32_t weft_material_library_count = ${count};\n")
file(WRITE ${OUT} "${code}")

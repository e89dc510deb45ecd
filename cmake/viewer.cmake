# The viewer's page: made from viewer/ by Node.js once for all presets (viewer/dist), then compiled in as bytes. Without
# Node.js the program is built all the same, and says that it has no viewer.
find_program(NODE_PROGRAM node)
find_program(NPM_PROGRAM npm)
set(viewer_folder ${PROJECT_SOURCE_DIR}/viewer)
set(viewer_page ${viewer_folder}/dist/index.html)
set(viewer_page_source ${PROJECT_BINARY_DIR}/viewer_page.c)
if(WEFT_VIEWER AND NODE_PROGRAM AND NPM_PROGRAM)
  set(weft_has_viewer ON)
  file(GLOB viewer_sources CONFIGURE_DEPENDS ${viewer_folder}/src/*)
  list(APPEND viewer_sources ${viewer_folder}/index.html ${viewer_folder}/package.json ${viewer_folder}/package-lock.json
    ${viewer_folder}/vite.config.ts ${viewer_folder}/tsconfig.json)
  add_custom_command(OUTPUT ${viewer_page}
    COMMAND ${PROJECT_SOURCE_DIR}/tools/viewer DEPENDS ${viewer_sources} ${PROJECT_SOURCE_DIR}/tools/viewer
    COMMENT "Making the viewer's page" VERBATIM)
elseif(WEFT_VIEWER STREQUAL "ON")
  message(FATAL_ERROR "WEFT_VIEWER is ON, but node or npm was not found; install Debian's nodejs and npm")
else()
  set(weft_has_viewer OFF)
  set(viewer_page "")
  message(STATUS "without the viewer: WEFT_VIEWER is OFF, or node or npm was not found")
endif()
add_custom_command(OUTPUT ${viewer_page_source}
  COMMAND ${CMAKE_COMMAND} -DOUT=${viewer_page_source} -DPAGE=${viewer_page}
    -P ${PROJECT_SOURCE_DIR}/cmake/embed_viewer.cmake
  DEPENDS ${viewer_page} ${PROJECT_SOURCE_DIR}/cmake/embed_viewer.cmake VERBATIM)

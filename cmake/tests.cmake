# Every tests/**/test_*.c is a program and a ctest; every tests/fuzz/fuzz_*.c is replayed over its corpus, and is a
# libFuzzer program in the fuzz preset. Tests that run threads carry the label "threads": the thread sanitizer runs those.
find_package(PkgConfig REQUIRED)
pkg_check_modules(cmocka REQUIRED IMPORTED_TARGET cmocka)
set(test_environment "WEFT_SOURCE_DIR=${PROJECT_SOURCE_DIR}" "WEFT_BUILD_DIR=${PROJECT_BINARY_DIR}"
  # Several tests run at once: threads that wait must not keep the cores from each other. Spinning made a run on two
  # threads fifteen times slower than on one when the cores were shared.
  "OMP_WAIT_POLICY=passive")
if(WEFT_SANITIZE MATCHES "thread")
  # Without this tool the sanitizer does not know OpenMP's barriers and reports races that are none.
  get_filename_component(omp_folder "${OpenMP_omp_LIBRARY}" DIRECTORY)
  find_library(archer_library archer HINTS ${omp_folder} REQUIRED)
  list(APPEND test_environment "OMP_TOOL_LIBRARIES=${archer_library}"
    "TSAN_OPTIONS=ignore_noninstrumented_modules=1 halt_on_error=1")
  # And with it a real race must still be found.
  add_executable(race tests/house/race.c)
  target_link_libraries(race PRIVATE weft_flags)
  add_test(NAME sanitizer_finds_a_race COMMAND race)
  set_tests_properties(sanitizer_finds_a_race PROPERTIES LABELS threads ENVIRONMENT "${test_environment}"
    PASS_REGULAR_EXPRESSION "ThreadSanitizer: data race")
endif()

file(GLOB_RECURSE test_sources CONFIGURE_DEPENDS tests/test_*.c)
if(NOT weft_has_opencl)
  list(FILTER test_sources EXCLUDE REGEX "/test_opencl_failure.c$") # includes OpenCL's headers
endif()
# Exact twins of the narrow phase need integers without limit.
set(exact_tests test_ccd_data test_ccd_random test_distance)
find_library(GMP_LIBRARY gmp)
find_path(GMP_INCLUDE_DIR gmp.h)
if(NOT GMP_LIBRARY OR NOT GMP_INCLUDE_DIR)
  message(STATUS "GMP was not found: without ${exact_tests}")
  list(FILTER test_sources EXCLUDE REGEX "/(test_ccd_[a-z]+|test_distance)\\.c$")
endif()
foreach(source ${test_sources})
  get_filename_component(name ${source} NAME_WE)
  add_executable(${name} ${source})
  target_include_directories(${name} PRIVATE tests)
  target_link_libraries(${name} PRIVATE weft_static weft_flags PkgConfig::cmocka)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES ENVIRONMENT "${test_environment}" TIMEOUT 300 SKIP_RETURN_CODE 77)
  file(STRINGS ${source} runs_threads REGEX "threads|pthread|omp_" LIMIT_COUNT 1)
  if(runs_threads)
    set_property(TEST ${name} APPEND PROPERTY LABELS threads)
  elseif(WEFT_SANITIZE MATCHES "thread")
    set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL TRUE) # it would not be run
  endif()
  # Long runs of code that shorter tests go through, too: not under the address sanitizer.
  if(source MATCHES "/tests/validation/" OR name MATCHES "^test_(adhesion|energy|goes_on|links)$")
    set_property(TEST ${name} APPEND PROPERTY LABELS validation)
  endif()
endforeach()
# Every scene on the CPU and on OpenCL, whose kernels are compiled by OpenCL: once is enough.
set_property(TEST test_opencl_step APPEND PROPERTY LABELS scenes)
target_sources(test_narrow PRIVATE tests/detect/ccd_families.c)
foreach(name ${exact_tests})
  if(TARGET ${name})
    target_sources(${name} PRIVATE tests/detect/ccd_families.c tests/detect/exact_contact.c
      tests/detect/exact_distance.c tests/detect/exact_poly.c)
    target_include_directories(${name} PRIVATE ${GMP_INCLUDE_DIR})
    target_link_libraries(${name} PRIVATE ${GMP_LIBRARY})
    set_tests_properties(${name} PROPERTIES TIMEOUT 1800) # a million queries, in make check-long
  endif()
endforeach()
# They name threads but try nothing with them that test_broad and test_collision do not.
set_tests_properties(test_allocation test_detection test_front PROPERTIES LABELS "")
# Those that do more with WEFT_LONG are what make check-long runs again.
foreach(source ${test_sources})
  get_filename_component(name ${source} NAME_WE)
  file(STRINGS ${source} has_more REGEX "WEFT_LONG" LIMIT_COUNT 1)
  if(has_more)
    set_property(TEST ${name} APPEND PROPERTY LABELS long)
  endif()
endforeach()
set_tests_properties(test_opencl_step PROPERTIES TIMEOUT 1800) # 100 steps of every scene, twice, in make check-long
foreach(name test_picture test_light test_framing test_scale)
  target_link_libraries(${name} PRIVATE weft_picture)
  set_tests_properties(${name} PROPERTIES LABELS picture) # Embree's own threads are not instrumented
endforeach()
# The command line's own; the rest of it is tried by scripts.
target_sources(test_values PRIVATE cli/values.c)
target_sources(test_read_table PRIVATE cli/read_table.c)
foreach(name test_values test_read_table)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
endforeach()

target_sources(test_request PRIVATE src/view/request.c) # the server is not part of the library

# Every allocation of the library passes through this test, which lets one fail.
target_link_options(test_allocation PRIVATE -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free)

file(GLOB fuzz_sources CONFIGURE_DEPENDS tests/fuzz/fuzz_*.c)
foreach(source ${fuzz_sources})
  get_filename_component(name ${source} NAME_WE)
  string(REPLACE "fuzz_" "" subject ${name})
  if(WEFT_SANITIZE MATCHES "fuzzer")
    add_executable(${name} ${source})
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  else()
    add_executable(${name} ${source} tests/fuzz/replay.c)
    add_test(NAME replay_${subject} COMMAND ${name} ${PROJECT_SOURCE_DIR}/tests/fuzz/corpus/${subject})
    set_tests_properties(replay_${subject} PROPERTIES ENVIRONMENT "${test_environment}" TIMEOUT 300)
  endif()
  target_include_directories(${name} PRIVATE tests)
  target_link_libraries(${name} PRIVATE weft_static weft_flags)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/fuzz)
  if(WEFT_SANITIZE MATCHES "thread")
    set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL TRUE)
  endif()
endforeach()
target_sources(fuzz_request PRIVATE src/view/request.c)

# Writes the corpora that follow file formats; test_corpus tells when it has to be run again.
add_executable(make_corpus tests/fuzz/make_corpus.c)
target_include_directories(make_corpus PRIVATE tests)
target_link_libraries(make_corpus PRIVATE weft_static weft_flags)
set_target_properties(make_corpus PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/fuzz)

# Scripts: name, script, and arguments.
function(weft_add_script name script)
  add_test(NAME ${name} COMMAND ${PROJECT_SOURCE_DIR}/${script} ${ARGN})
  set_tests_properties(${name} PROPERTIES ENVIRONMENT "${test_environment};CC=${CMAKE_C_COMPILER}" TIMEOUT 600
    SKIP_RETURN_CODE 77)
endfunction()
weft_add_script(cli tests/cli/test_cli.sh $<TARGET_FILE:weft_program>)
weft_add_script(cli_render tests/cli/test_render.sh $<TARGET_FILE:weft_program>)
weft_add_script(cli_check tests/cli/test_check.sh $<TARGET_FILE:weft_program>)
weft_add_script(cli_response tests/cli/test_response.sh $<TARGET_FILE:weft_program>)
if(NOT WEFT_SANITIZE) # test_collision runs the same code there, on smaller worlds
  weft_add_script(cli_exam tests/cli/test_exam.sh $<TARGET_FILE:weft_program>)
endif()
set(benchmarks all)
if(WEFT_SANITIZE)
  set(benchmarks some)
endif()
weft_add_script(cli_bench tests/cli/test_bench.sh $<TARGET_FILE:weft_program> ${benchmarks})
weft_add_script(cli_resume tests/cli/test_resume.py $<TARGET_FILE:weft_program>)
weft_add_script(cli_view tests/cli/test_view.py $<TARGET_FILE:weft_program>)
set_tests_properties(cli_view PROPERTIES LABELS long)
weft_add_script(cli_threads tests/cli/test_threads.sh $<TARGET_FILE:weft_program>)
set_tests_properties(cli_threads PROPERTIES LABELS threads)

if(WEFT_HOUSE_TESTS)
  weft_add_script(viewer tests/viewer/run.sh $<TARGET_FILE:weft_program>)
  set_tests_properties(viewer PROPERTIES TIMEOUT 1800 LABELS long)
  weft_add_script(include_direction tests/house/include_direction.py)
  weft_add_script(references tests/house/references.py)
  weft_add_script(kernel_subset tests/house/kernel_subset.sh)
  weft_add_script(format tests/house/format.sh)
  weft_add_script(scene_schema tests/house/scene_schema.py)
  weft_add_script(scene_schema_cases tests/scene/test_schema.py)
  weft_add_script(exports tests/house/exports.sh $<TARGET_FILE:weft>)
  weft_add_script(install_consumer tests/house/install_consumer.sh)
  weft_add_script(readme tests/house/readme.py $<TARGET_FILE:weft_program>)
  weft_add_script(determinism tests/house/determinism.sh)
endif()

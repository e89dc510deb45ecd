# make install: program, libraries, headers, pkg-config file, CMake package, scenes, materials, schema.
include(CMakePackageConfigHelpers)

install(TARGETS weft EXPORT weft LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS weft_static ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(weft_has_v3)
  install(TARGETS weft_v3 LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/glibc-hwcaps/x86-64-v3 NAMELINK_SKIP)
endif()
install(TARGETS weft_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY include/weft DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
foreach(folder scenes materials)
  install(DIRECTORY ${folder} DESTINATION ${CMAKE_INSTALL_DATADIR}/weft OPTIONAL)
endforeach()
install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)

install(EXPORT weft NAMESPACE weft:: FILE weft-targets.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/weft)
configure_package_config_file(cmake/weft-config.cmake.in ${CMAKE_BINARY_DIR}/weft-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/weft)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/weft-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/weft-config.cmake ${CMAKE_BINARY_DIR}/weft-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/weft)

# The prefix is told from where the file lies, so that an installation can be moved.
file(RELATIVE_PATH pc_to_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/weft.pc.in ${CMAKE_BINARY_DIR}/weft.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/weft.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

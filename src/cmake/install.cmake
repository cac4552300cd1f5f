# cmake --install, and what find_package(numwarp) reads.

include(CMakePackageConfigHelpers)
set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/numwarp)

install(TARGETS numwarp EXPORT numwarp)
install(DIRECTORY include/numwarp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN *.hpp PATTERN *.def)
install(EXPORT numwarp NAMESPACE numwarp:: FILE numwarpTargets.cmake DESTINATION ${config_dir})

get_target_property(numwarp_type numwarp TYPE)
configure_package_config_file(src/cmake/numwarpConfig.cmake.in numwarpConfig.cmake
                              INSTALL_DESTINATION ${config_dir})
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(numwarpConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/numwarpConfig.cmake
              ${PROJECT_BINARY_DIR}/numwarpConfigVersion.cmake
              src/cmake/FindOpenBLAS.cmake
        DESTINATION ${config_dir})

# cmake --build build -t format    lays out all sources
# cmake --build build -t tidy      runs the short list of .clang-tidy over src/

find_program(CLANG_FORMAT clang-format)
# 16 or newer: older ones lack parts of C++20.
find_program(RUN_CLANG_TIDY NAMES run-clang-tidy-19 run-clang-tidy-18 run-clang-tidy-17 run-clang-tidy-16
                                  run-clang-tidy)
mark_as_advanced(CLANG_FORMAT RUN_CLANG_TIDY)

if(CLANG_FORMAT)
  # Not *.def: the tables are aligned by hand.
  set(globs)
  foreach(folder include src kernels tests bench examples)
    foreach(ending hpp cpp cuh cu)
      list(APPEND globs ${PROJECT_SOURCE_DIR}/${folder}/*.${ending})
    endforeach()
  endforeach()
  file(GLOB_RECURSE format_files CONFIGURE_DEPENDS ${globs})
  add_custom_target(format COMMAND ${CLANG_FORMAT} -i ${format_files} VERBATIM)
endif()

if(RUN_CLANG_TIDY)
  # g++ knows warnings and pragmas that clang does not.
  add_custom_target(tidy
    COMMAND ${RUN_CLANG_TIDY} -p ${PROJECT_BINARY_DIR} -quiet -extra-arg=-Wno-unknown-warning-option
            -extra-arg=-Wno-unknown-pragmas "^${PROJECT_SOURCE_DIR}/src/.*\\.cpp$"
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} VERBATIM)
endif()

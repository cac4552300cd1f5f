# cmake --build build -t format    lays out all sources
# cmake --build build -t tidy      runs the short list of .clang-tidy over src/

find_program(CLANG_FORMAT clang-format)
find_program(CLANG_TIDY NAMES clang-tidy-19 clang-tidy-18 clang-tidy-17 clang-tidy-16 clang-tidy)
mark_as_advanced(CLANG_FORMAT CLANG_TIDY)

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

if(CLANG_TIDY)
  add_custom_target(tidy
    COMMAND ${CLANG_TIDY} -p ${PROJECT_BINARY_DIR} --quiet --extra-arg=-Wno-unknown-warning-option
            ${sources}
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} VERBATIM)
endif()

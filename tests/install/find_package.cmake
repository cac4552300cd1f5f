# Installs the build, moves the result elsewhere, and builds and runs a program on it.

cmake_minimum_required(VERSION 3.25)
set(work ${DIR}/find_package)
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT code EQUAL 0)
    message("${text}")
    message(FATAL_ERROR "failed: ${ARGN}")
  endif()
  set(text "${text}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${work})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${work}/first --config ${CONFIG})
file(RENAME ${work}/first ${work}/prefix)  # nothing may remember where it was installed
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/find_package -B ${work}/build -G ${GENERATOR}
    -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_BUILD_TYPE=${CONFIG} -DCMAKE_PREFIX_PATH=${work}/prefix)
run(${CMAKE_COMMAND} --build ${work}/build --config ${CONFIG})
file(GLOB program ${work}/build/consumer ${work}/build/*/consumer)
run(${program})
if(NOT text STREQUAL "34.0\n")
  message(FATAL_ERROR "the program printed '${text}', not 34.0")
endif()

# The examples are a project of their own, too.
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/../../examples -B ${work}/examples -G ${GENERATOR}
    -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_BUILD_TYPE=${CONFIG} -DCMAKE_PREFIX_PATH=${work}/prefix)
run(${CMAKE_COMMAND} --build ${work}/examples --config ${CONFIG} --target quickstart)
file(GLOB program ${work}/examples/quickstart ${work}/examples/*/quickstart)
run(${program})
if(NOT text MATCHES "^\\[1 2 3 4\\]\n\\[2\\. 4\\. 6\\.\\] from ")
  message(FATAL_ERROR "the example printed '${text}'")
endif()

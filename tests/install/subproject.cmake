# Configures a project that takes numwarp's sources in; see subproject/CMakeLists.txt.

cmake_minimum_required(VERSION 3.25)
set(work ${DIR}/${HOW})
file(REMOVE_RECURSE ${work})
execute_process(COMMAND ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/subproject -B ${work}
                        -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${CXX} -DHOW=${HOW} -DSOURCE=${SOURCE}
                RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
if(NOT code EQUAL 0)
  message("${text}")
  message(FATAL_ERROR "a project does not configure with numwarp by ${HOW}")
endif()

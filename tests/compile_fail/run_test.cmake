# cmake -DCXX=<compiler> -DDIR=<scratch folder> -P run_test.cmake
# run.cmake accepts a right sample and rejects each kind of wrong one.

cmake_minimum_required(VERSION 3.25)

# sample(<"accepted" or a regex of the complaint> <text of the file>)
function(sample outcome content)
  file(WRITE ${DIR}/sample.cpp "${content}")
  execute_process(COMMAND ${CMAKE_COMMAND} -DCXX=${CXX} -DSOURCE=${DIR}/sample.cpp -DINCLUDE=${DIR}
                          -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/run.cmake
                  RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
  string(REGEX REPLACE "[ \n]+" " " text "${text}")
  if(outcome STREQUAL accepted)
    if(NOT code EQUAL 0)
      message(SEND_ERROR "rejected:\n${content}\n${text}")
    endif()
  elseif(code EQUAL 0 OR NOT text MATCHES "${outcome}")
    message(SEND_ERROR "not rejected with '${outcome}':\n${content}\n${text}")
  endif()
endfunction()

set(good "template <class T>\nvoid f(T) { static_assert(sizeof(T) == 1, \"needs a byte\"); }\nvoid g() {\n  f('a')\;\n")
string(REPLACE "\\;" ";" good "${good}")
sample(accepted                    "// expect: needs a byte\n${good}#ifdef BAD_LINE\n  f(1);\n#endif\n}\n")
sample("must compile without"      "// expect: needs a byte\n${good}#ifdef BAD_LINE\n#endif\n  f(1);\n}\n")
sample("must not compile"          "// expect: needs a byte\n${good}#ifdef BAD_LINE\n  f('b');\n#endif\n}\n")
sample("does not say 'two bytes'"  "// expect: two bytes\n${good}#ifdef BAD_LINE\n  f(1);\n#endif\n}\n")
sample("the first line must be"    "${good}#ifdef BAD_LINE\n  f(1);\n#endif\n}\n")
sample("has 0 blocks"              "// expect: needs a byte\n${good}}\n")
set(long)
foreach(i RANGE 30)
  string(APPEND long "  x${i}();\n")
endforeach()
sample("lines, at most"            "// expect: x\nvoid g() {\n#ifdef BAD_LINE\n${long}#endif\n}\n")

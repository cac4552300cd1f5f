# Compile options of the library and of what is built beside it.

set(CMAKE_CXX_EXTENSIONS OFF)

if(NUMWARP_SANITIZE)
  # For all targets: a sanitizer that sees half of a program reports nonsense.
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${NUMWARP_SANITIZE}>
                      $<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize-recover=all>
                      $<$<COMPILE_LANGUAGE:CXX>:-fno-omit-frame-pointer>)
  add_link_options(-fsanitize=${NUMWARP_SANITIZE})
  # The loops are then compiled for one instruction set only.
  add_compile_definitions(NUMWARP_SANITIZED)
endif()

# Warnings. They are errors except under a sanitizer, whose instrumentation makes g++ warn of
# things that are not there (uninitialised values, overflowing strings).
function(numwarp_compile_options target)
  if(NOT NUMWARP_DEV)
    return()
  endif()
  set(warnings -Wall -Wextra -Wpedantic -Wshadow)
  if(NOT NUMWARP_SANITIZE)
    list(APPEND warnings -Werror)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    list(APPEND warnings -Wno-restrict)  # false on "text" + std::string (GCC bug 105651)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
    # False on a reference into a static table that was found by a temporary key.
    # Nor is an optional's value read before it was looked for.
    list(APPEND warnings -Wno-dangling-reference -Wno-maybe-uninitialized)
  endif()
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    # The loops ask to be vectorised where that is possible; where it is not is no mistake.
    list(APPEND warnings -Wno-pass-failed)
  endif()
  target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:${warnings}>")
endfunction()

# sqrt vectorises only without errno and trapping; no contraction, so that a * b + c has the same
# bits with and without a fused multiply-add in the machine.
function(numwarp_float_options target)
  target_compile_options(${target} PRIVATE
    "$<$<COMPILE_LANGUAGE:CXX>:-fno-math-errno;-fno-trapping-math;-ffp-contract=off>")
endfunction()

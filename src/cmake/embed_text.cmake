# cmake -DROOT=<dir> -DFILES=a.hpp:b.cuh -DOUT=<file> -P embed_text.cmake
# Writes a table of {include name, text} for NVRTC. A literal is cut at 8000 characters: longer ones
# are beyond what C++ promises.
string(REPLACE ":" ";" FILES "${FILES}")
set(body "struct embedded {\n  const char *name, *text;\n};\ninline constexpr embedded embedded_headers[] = {\n")
foreach(f IN LISTS FILES)
  file(READ "${ROOT}/${f}" text)
  string(REGEX REPLACE "^(include|kernels)/" "" name "${f}")
  string(APPEND body "{\"${name}\",")
  string(LENGTH "${text}" length)
  set(at 0)
  while(at LESS length)
    string(SUBSTRING "${text}" ${at} 8000 piece)
    string(APPEND body " R\"numwarp__(${piece})numwarp__\"")
    math(EXPR at "${at} + 8000")
  endwhile()
  string(APPEND body "},\n")
endforeach()
file(WRITE "${OUT}" "${body}};\n")

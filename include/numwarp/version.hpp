// The version of these headers. CMakeLists.txt reads the three numbers from here.
#pragma once

#define NUMWARP_VERSION_MAJOR 0
#define NUMWARP_VERSION_MINOR 1
#define NUMWARP_VERSION_PATCH 0

namespace numwarp {

#define NW_TEXT_(x) #x
#define NW_TEXT(x) NW_TEXT_(x)
// "major.minor.patch", as numpy.__version__.
inline constexpr const char* version = NW_TEXT(NUMWARP_VERSION_MAJOR) "." NW_TEXT(
    NUMWARP_VERSION_MINOR) "." NW_TEXT(NUMWARP_VERSION_PATCH);
#undef NW_TEXT
#undef NW_TEXT_

}  // namespace numwarp

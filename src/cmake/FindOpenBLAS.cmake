# OpenBLAS::OpenBLAS, with <cblas.h> on its include path. OpenBLAS_ROOT names another place.
#
# Debian and Ubuntu have variants in folders of their own. The pthread one comes first: the OpenMP
# one would start a second set of threads with rules of its own.

set(variants openblas-pthread openblas)
find_path(OpenBLAS_INCLUDE_DIR cblas.h PATH_SUFFIXES ${variants})
find_library(OpenBLAS_LIBRARY openblas PATH_SUFFIXES ${variants})
mark_as_advanced(OpenBLAS_INCLUDE_DIR OpenBLAS_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OpenBLAS
  REQUIRED_VARS OpenBLAS_LIBRARY OpenBLAS_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "On Debian and Ubuntu: apt-get install libopenblas-dev")

if(OpenBLAS_FOUND AND NOT TARGET OpenBLAS::OpenBLAS)
  add_library(OpenBLAS::OpenBLAS UNKNOWN IMPORTED)
  set_target_properties(OpenBLAS::OpenBLAS PROPERTIES
    IMPORTED_LOCATION ${OpenBLAS_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${OpenBLAS_INCLUDE_DIR})
endif()

// The functions that ops.def names, for complex numbers.
#pragma once

#include <numwarp/core/math.hpp>

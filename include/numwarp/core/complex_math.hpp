// The functions that ops.def names, for complex numbers.
#pragma once

#include <numwarp/core/complex_basic.hpp>
#include <numwarp/core/complex_exp.hpp>
#include <numwarp/core/complex_inverse.hpp>
#include <numwarp/core/complex_log.hpp>

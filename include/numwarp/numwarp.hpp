// Everything but the optional parts.
#pragma once

#include <numwarp/any_array.hpp>
#include <numwarp/constants.hpp>
#include <numwarp/creation.hpp>
#include <numwarp/device.hpp>
#include <numwarp/dtype.hpp>
#include <numwarp/error.hpp>
#include <numwarp/io.hpp>
#include <numwarp/kernel.hpp>
#include <numwarp/linalg.hpp>
#include <numwarp/manipulation.hpp>
#include <numwarp/memory.hpp>
#include <numwarp/ndarray.hpp>
#include <numwarp/printing.hpp>
#include <numwarp/profiling.hpp>
#include <numwarp/random.hpp>
#include <numwarp/reductions.hpp>
#include <numwarp/shape.hpp>
#include <numwarp/slice.hpp>
#include <numwarp/stream.hpp>
#include <numwarp/transfer.hpp>
#include <numwarp/ufuncs.hpp>
#include <numwarp/version.hpp>

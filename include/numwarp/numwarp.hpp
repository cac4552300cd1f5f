// Arrays and all that is done with them. What few programs need has headers of its own:
// function.hpp, kernel.hpp and elementwise_kernel.hpp for functions and kernels of users,
// graph.hpp, jit.hpp, device_buffer.hpp, memory_hooks.hpp, profiling.hpp, testing.hpp.
#pragma once

#include <numwarp/any_array.hpp>
#include <numwarp/concatenators.hpp>
#include <numwarp/constants.hpp>
#include <numwarp/creation.hpp>
#include <numwarp/device.hpp>
#include <numwarp/dtype.hpp>
#include <numwarp/error.hpp>
#include <numwarp/index_tricks.hpp>
#include <numwarp/indexing.hpp>
#include <numwarp/integers.hpp>
#include <numwarp/io.hpp>
#include <numwarp/joining.hpp>
#include <numwarp/linalg.hpp>
#include <numwarp/logic.hpp>
#include <numwarp/manipulation.hpp>
#include <numwarp/matrices.hpp>
#include <numwarp/memory.hpp>
#include <numwarp/ndarray.hpp>
#include <numwarp/padding.hpp>
#include <numwarp/printing.hpp>
#include <numwarp/random.hpp>
#include <numwarp/ranges.hpp>
#include <numwarp/rearranging.hpp>
#include <numwarp/reductions.hpp>
#include <numwarp/shape.hpp>
#include <numwarp/slice.hpp>
#include <numwarp/splitting.hpp>
#include <numwarp/stream.hpp>
#include <numwarp/stride_tricks.hpp>
#include <numwarp/transfer.hpp>
#include <numwarp/ufuncs.hpp>
#include <numwarp/version.hpp>

// The CPU backend's threads. Work is cut into the same pieces whatever their number, so that
// results do not depend on it.
#pragma once

#include <cstdint>
#include <functional>

namespace numwarp::cpu_backend {

// Calls f(first, last) for ranges that cover [0, tasks); ranges run in parallel where `tasks` is
// worth it. Returns when all have run; the first exception is rethrown.
void parallel_for(std::int64_t tasks, const std::function<void(std::int64_t, std::int64_t)>& f);

int thread_count();
// Sets OpenBLAS's own threads too.
void set_thread_count(int n);
void set_blas_threads(int n);

}  // namespace numwarp::cpu_backend

// expect: conversion|no viable
#include <numwarp/ndarray.hpp>

void widen(const numwarp::ndarray<float>& a) {
  numwarp::ndarray<double> good = a.astype<double>();
#ifdef BAD_LINE
  numwarp::ndarray<double> bad = a;
#endif
}

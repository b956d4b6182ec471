// Pause instruction for spin-wait loops. It lowers the load on the core while a thread polls a variable until another
// thread changes it.
#pragma once

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif

namespace vw {

inline void relax() {
#if defined(__x86_64__) || defined(__i386__)
  _mm_pause();
#endif
}

}  // namespace vw

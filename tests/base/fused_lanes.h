// Fused multiply-adds of vectors, for every instruction set that the processor has.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace vw {

/// Results of the four fused multiply-adds, one array after the other: a b + c, a b - c, c - a b, -a b - c.
template <class T>
struct FusedResults {
  std::string instruction_set;
  std::vector<T> values;
};
/// Returns the results of every available instruction set, including those of the scalar code. The spans have equal
/// sizes, which must be multiples of 16.
template <class T>
std::vector<FusedResults<T>> fused_everywhere(std::span<const T> a, std::span<const T> b, std::span<const T> c);
extern template std::vector<FusedResults<float>> fused_everywhere(std::span<const float>, std::span<const float>,
                                                                  std::span<const float>);
extern template std::vector<FusedResults<double>> fused_everywhere(std::span<const double>, std::span<const double>,
                                                                   std::span<const double>);

}  // namespace vw

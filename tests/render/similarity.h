// Structural similarity of two pictures (Z. Wang, A. C. Bovik, H. R. Sheikh, E. P. Simoncelli, "Image quality assessment: from error visibility to
// structural similarity", IEEE Trans. Image Process. 13(4), 2004): mean over windows of
//   (2 ma mb + c1)(2 sab + c2) / ((ma^2 + mb^2 + c1)(sa^2 + sb^2 + c2)),  c1 = (0.01 * 255)^2, c2 = (0.03 * 255)^2,
// on luma (Rec. 601 weights of the sRGB bytes, as is usual), under a Gaussian window of 11 x 11 pixels with a standard deviation of 1.5.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "render/image.h"

namespace vw {

struct Similarity {
  double mean = 0;  ///< over the pixels asked for
  std::size_t pixels = 0;
};

inline std::vector<double> luma(const Image& image) {
  std::vector<double> out;
  out.reserve(image.rgba.size() / 4);
  for (std::size_t i = 0; i < image.rgba.size(); i += 4) out.push_back(0.299 * image.rgba[i] + 0.587 * image.rgba[i + 1] + 0.114 * image.rgba[i + 2]);
  return out;
}

/// Gaussian mean about every pixel at least 5 pixels from the rim.
inline std::vector<double> gaussian(const std::vector<double>& values, int width, int height) {
  std::array<double, 11> w{};
  double sum = 0;
  for (int k = -5; k <= 5; ++k) sum += w[static_cast<std::size_t>(k + 5)] = std::exp(-k * k / (2 * 1.5 * 1.5));
  for (double& x : w) x /= sum;
  std::vector<double> rows(values.size()), out(values.size());
  const auto at = [width](int x, int y) { return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x); };
  for (int y = 0; y < height; ++y)
    for (int x = 5; x < width - 5; ++x)
      for (int k = -5; k <= 5; ++k) rows[at(x, y)] += w[static_cast<std::size_t>(k + 5)] * values[at(x + k, y)];
  for (int y = 5; y < height - 5; ++y)
    for (int x = 5; x < width - 5; ++x)
      for (int k = -5; k <= 5; ++k) out[at(x, y)] += w[static_cast<std::size_t>(k + 5)] * rows[at(x, y + k)];
  return out;
}

/// Over the pixels for which `covered(x, y)`.
template <class Covered>
Similarity similarity(const Image& a, const Image& b, const Covered& covered) {
  const double c1 = 0.01 * 255 * 0.01 * 255, c2 = 0.03 * 255 * 0.03 * 255;
  const auto la = luma(a), lb = luma(b);
  std::vector<double> aa(la.size()), bb(la.size()), ab(la.size());
  for (std::size_t i = 0; i < la.size(); ++i) {
    aa[i] = la[i] * la[i];
    bb[i] = lb[i] * lb[i];
    ab[i] = la[i] * lb[i];
  }
  const auto ma = gaussian(la, a.width, a.height), mb = gaussian(lb, a.width, a.height);
  const auto maa = gaussian(aa, a.width, a.height), mbb = gaussian(bb, a.width, a.height), mab = gaussian(ab, a.width, a.height);
  Similarity out;
  for (int y = 5; y < a.height - 5; ++y)
    for (int x = 5; x < a.width - 5; ++x) {
      if (!covered(x, y)) continue;
      const std::size_t i = static_cast<std::size_t>(y) * static_cast<std::size_t>(a.width) + static_cast<std::size_t>(x);
      const double va = maa[i] - ma[i] * ma[i], vb = mbb[i] - mb[i] * mb[i], vab = mab[i] - ma[i] * mb[i];
      out.mean += (2 * ma[i] * mb[i] + c1) * (2 * vab + c2) / ((ma[i] * ma[i] + mb[i] * mb[i] + c1) * (va + vb + c2));
      ++out.pixels;
    }
  out.mean /= static_cast<double>(std::max<std::size_t>(out.pixels, 1));
  return out;
}

}  // namespace vw

// Structural similarity of two images (Z. Wang, A. C. Bovik, H. R. Sheikh, E. P. Simoncelli, "Image quality assessment:
// from error visibility to structural similarity", IEEE Trans. Image Process. 13(4), 2004). The similarity is the mean
// over windows of
//
//   (2 ma mb + c1)(2 sab + c2) / ((ma^2 + mb^2 + c1)(sa^2 + sb^2 + c2)),  c1 = (0.01 * 255)^2, c2 = (0.03 * 255)^2,
//
// where ma and mb are the means, sa^2 and sb^2 the variances, and sab the covariance of the luma of the images a and b
// in a window. Luma is the sum of the sRGB bytes with the weights of Rec. 601. The window is a Gaussian of 11 x 11
// pixels with a standard deviation of 1.5 pixels.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "render/image.h"

namespace vw {

struct Similarity {
  double mean = 0;  ///< mean similarity over the selected pixels
  std::size_t pixels = 0;
};

/// A rectangle of the image [px].
struct Part {
  int x0 = 0, y0 = 0, width = 0, height = 0;
};

inline std::vector<double> luma(const Image& image, const Part& part) {
  std::vector<double> out;
  for (int y = part.y0; y < part.y0 + part.height; ++y)
    for (int x = part.x0; x < part.x0 + part.width; ++x) {
      const std::uint8_t* p = &image.rgba[4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                                               static_cast<std::size_t>(x))];
      out.push_back(0.299 * p[0] + 0.587 * p[1] + 0.114 * p[2]);
    }
  return out;
}

/// Returns the smallest rectangle that contains all covered pixels, extended by half a window on each side.
template <class Covered>
Part part_about(const Image& image, const Covered& covered) {
  int x0 = image.width, y0 = image.height, x1 = -1, y1 = -1;
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) {
      if (!covered(x, y)) continue;
      x0 = std::min(x0, x);
      y0 = std::min(y0, y);
      x1 = std::max(x1, x);
      y1 = std::max(y1, y);
    }
  x0 = std::max(x0 - 5, 0);
  y0 = std::max(y0 - 5, 0);
  return {x0, y0, std::max(std::min(x1 + 6, image.width) - x0, 0), std::max(std::min(y1 + 6, image.height) - y0, 0)};
}

/// Returns the Gaussian mean around each pixel that is at least 5 pixels away from the border.
inline std::vector<double> gaussian(const std::vector<double>& values, int width, int height) {
  std::array<double, 11> w{};
  double sum = 0;
  for (int k = -5; k <= 5; ++k) sum += w[static_cast<std::size_t>(k + 5)] = std::exp(-k * k / (2 * 1.5 * 1.5));
  for (double& x : w) x /= sum;
  std::vector<double> rows(values.size()), out(values.size());
  const auto at = [width](int x, int y) {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
  };
  for (int y = 0; y < height; ++y)
    for (int x = 5; x < width - 5; ++x)
      for (int k = -5; k <= 5; ++k) rows[at(x, y)] += w[static_cast<std::size_t>(k + 5)] * values[at(x + k, y)];
  for (int y = 5; y < height - 5; ++y)
    for (int x = 5; x < width - 5; ++x)
      for (int k = -5; k <= 5; ++k) out[at(x, y)] += w[static_cast<std::size_t>(k + 5)] * rows[at(x, y + k)];
  return out;
}

/// Returns the similarity over the pixels for which `covered(x, y)` is true.
template <class Covered>
Similarity similarity(const Image& a, const Image& b, const Covered& covered) {
  const double c1 = 0.01 * 255 * 0.01 * 255, c2 = 0.03 * 255 * 0.03 * 255;
  const Part part = part_about(a, covered);
  const auto la = luma(a, part), lb = luma(b, part);
  std::vector<double> aa(la.size()), bb(la.size()), ab(la.size());
  for (std::size_t i = 0; i < la.size(); ++i) {
    aa[i] = la[i] * la[i];
    bb[i] = lb[i] * lb[i];
    ab[i] = la[i] * lb[i];
  }
  const auto ma = gaussian(la, part.width, part.height), mb = gaussian(lb, part.width, part.height);
  const auto maa = gaussian(aa, part.width, part.height), mbb = gaussian(bb, part.width, part.height),
             mab = gaussian(ab, part.width, part.height);
  Similarity out;
  for (int y = 5; y < part.height - 5; ++y)
    for (int x = 5; x < part.width - 5; ++x) {
      if (!covered(part.x0 + x, part.y0 + y)) continue;
      const std::size_t i =
          static_cast<std::size_t>(y) * static_cast<std::size_t>(part.width) + static_cast<std::size_t>(x);
      const double va = maa[i] - ma[i] * ma[i], vb = mbb[i] - mb[i] * mb[i], vab = mab[i] - ma[i] * mb[i];
      out.mean += (2 * ma[i] * mb[i] + c1) * (2 * vab + c2) / ((ma[i] * ma[i] + mb[i] * mb[i] + c1) * (va + vb + c2));
      ++out.pixels;
    }
  out.mean /= static_cast<double>(std::max<std::size_t>(out.pixels, 1));
  return out;
}

}  // namespace vw

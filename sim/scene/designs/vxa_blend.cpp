// VoxCAD's blended materials: near an interface between two materials, voxels get an intermediate stiffness.
#include <algorithm>
#include <array>
#include <cmath>

#include "sim/base/elementary/elementary.h"
#include "sim/scene/designs/vxa_parts.h"

namespace vw {
namespace {

struct Blending {
  std::array<double, 3> per_voxel2{};   ///< (edge / radius)^2 along x, y, z; 0 along an axis without blending
  std::array<std::int64_t, 3> reach{};  ///< number of voxels along each axis that are considered on either side
  std::int64_t model = 0;               ///< interpolation: 0 linear, 1 exponential, 2 polynomial
  double exponent = 1;
};

/// Returns the weight of the neighbour that is `away` voxels distant along the axes. It is computed from the squared
/// distances to the near and to the far side of the neighbour, in units of the blending radius, as in Voxelyze's
/// blurMaterials.
double weight_at(const Blending& blending, const std::array<std::int64_t, 3>& away) {
  double near = 0, far = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto d = static_cast<double>(std::abs(away[axis]));
    near += std::max(d - 1, 0.0) * std::max(d - 1, 0.0) * blending.per_voxel2[axis];
    far += d * d * blending.per_voxel2[axis];
  }
  if (far == 0) return 1;  // weight of the voxel itself
  if (near > 1) return 0;
  return far > 1 ? (1 - near) / (2 * (far - near)) : 1 - (near + far) / 2;
}

/// Interpolates between the smallest and the largest stiffness in the neighbourhood, as VoxCAD does. `share` is the
/// fraction of the stiffest material in the neighbourhood.
double blended(const Blending& blending, double softest, double stiffest, double share) {
  // Rounding can make a share of 0 slightly negative, for which a power with a fractional exponent has no value.
  const double weight = blending.model == 1   ? elementary::exp2(share) - 1
                        : blending.model == 2 ? elementary::pow(std::max(share, 0.0), blending.exponent)
                                              : share;
  return softest + weight * (stiffest - softest);
}

class Blender {
 public:
  Blender(const Blending& blending, const VoxelDesign& design) : blending_(blending), design_(design) {}

  [[nodiscard]] double at(std::int64_t x, std::int64_t y, std::int64_t z) const {
    double softest = HUGE_VAL, stiffest = 0, total = 0, sum = 0;
    visit(x, y, z, [&](double pascal, double weight) {
      softest = std::min(softest, pascal);
      stiffest = std::max(stiffest, pascal);
      total += weight;
      sum += weight * pascal;
    });
    if (softest == stiffest) return softest;
    // The fraction of the stiffest material is derived from the weighted mean stiffness. This is exact for two
    // materials, and VoxCAD blends only two.
    return blended(blending_, softest, stiffest, (sum / total - softest) / (stiffest - softest));
  }

 private:
  template <class F>
  void visit(std::int64_t x, std::int64_t y, std::int64_t z, F f) const {
    const auto low = [&](std::int64_t at, std::size_t axis) {
      return std::max<std::int64_t>(at - blending_.reach[axis], 0);
    };
    const auto high = [&](std::int64_t at, std::size_t axis, std::size_t size) {
      return std::min(at + blending_.reach[axis], static_cast<std::int64_t>(size) - 1);
    };
    for (std::int64_t k = low(z, 2); k <= high(z, 2, design_.nz); ++k)
      for (std::int64_t j = low(y, 1); j <= high(y, 1, design_.ny); ++j)
        for (std::int64_t i = low(x, 0); i <= high(x, 0, design_.nx); ++i) {
          const std::size_t cell =
              static_cast<std::size_t>(i) +
              design_.nx * (static_cast<std::size_t>(j) + design_.ny * static_cast<std::size_t>(k));
          if (design_.code[cell] == 0) continue;
          if (const double weight = weight_at(blending_, {i - x, j - y, k - z}); weight > 0) f(stiffness(cell), weight);
        }
  }
  [[nodiscard]] double stiffness(std::size_t cell) const {
    const double own = design_.stiffness_pa.empty() ? 0 : design_.stiffness_pa[cell];
    return own != 0 ? own : design_.materials[design_.code[cell] - 1U].youngs_pa;
  }

  const Blending& blending_;
  const VoxelDesign& design_;
};

Blending read_blending(XmlReader& xml, pugi::xml_node features, const VoxelDesign& design) {
  Blending blending;
  const std::array<const char*, 3> leaves{"XMixRadius", "YMixRadius", "ZMixRadius"};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double all = xml.number(features, "MixRadius", 0), radius = xml.number(features, leaves[axis], all);
    if (!(radius > 0)) continue;
    const double edges = std::clamp(radius / design.edge_m, 1e-100, 1e6);  // the inverse of the square must be finite
    blending.per_voxel2[axis] = 1 / (edges * edges);
    blending.reach[axis] = static_cast<std::int64_t>(edges) + 1;
  }
  blending.model = xml.integer(features, "BlendModel", 0, 0, 2);
  blending.exponent = std::clamp(xml.number(features, "PolyExp", 1), 0.0, 100.0);
  return blending;
}

}  // namespace

void read_vxa_blending(XmlReader& xml, pugi::xml_node features, VoxelDesign& design) {
  if (!xml.flag(features, "BlendingEnabled", false)) return;
  const Blending blending = read_blending(xml, features, design);
  if (xml.error()) return;
  constexpr double most_visits = 5e7;  // largest number of weights to compute, which takes some seconds
  double visits = static_cast<double>(design.cells());
  for (const std::int64_t reach : blending.reach) visits *= 2 * static_cast<double>(reach) + 1;
  if (visits > most_visits)
    return add_unsupported(design, "blending of materials over a large radius (BlendingEnabled)");
  const auto linear = [](const DesignMaterial& material) { return material.model == StressModel::linear; };
  if (!std::all_of(design.materials.begin(), design.materials.end(), linear))
    return add_unsupported(design, "blending of nonlinear materials (BlendingEnabled)");
  add_unsupported(design, "blending of properties other than stiffness (BlendingEnabled)");
  const Blender blender(blending, design);
  std::vector<double> stiffness;
  stiffness.reserve(design.cells());
  for (std::size_t cell = 0; cell < design.cells(); ++cell) {
    const auto index = [](std::size_t i) { return static_cast<std::int64_t>(i); };
    const bool filled = design.code[cell] != 0;
    stiffness.push_back(filled ? blender.at(index(cell % design.nx), index(cell / design.nx % design.ny),
                                            index(cell / (design.nx * design.ny)))
                               : 0);
  }
  design.stiffness_pa = std::move(stiffness);
}

}  // namespace vw

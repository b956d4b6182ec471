// Bodies that step implicitly and meet themselves: halves of a broken body, arms of a whole one.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "sim/base/parallel.h"
#include "sim/base/random.h"
#include "tests/support/validation.h"
#include "tests/voxel/lab.h"

namespace vw::test {
namespace {

constexpr double edge = 0.005;

/// Breaks bonds of a body as a state read from a file would have them.
class BondBreaker final : public StateVisitor {
 public:
  explicit BondBreaker(std::vector<std::uint8_t> broken) : broken_(std::move(broken)) {}
  void array(std::string_view name, std::size_t /*element_bytes*/, std::span<std::byte> /*bytes*/,
             const std::function<std::span<std::byte>(std::size_t)>& resize) override {
    if (name != "broken") return;
    const std::span<std::byte> rows = resize(broken_.size());
    std::copy_n(reinterpret_cast<const std::byte*>(broken_.data()), rows.size(), rows.begin());
  }

 private:
  std::vector<std::uint8_t> broken_;
};

/// Breaks all bonds of a body between voxels that `upper` tells apart.
template <class Upper>
void cut(VoxelBody& body, const Upper& upper) {
  std::vector<std::uint8_t> broken;
  for (const Bond& bond : body.topology().bonds)
    broken.push_back(upper(static_cast<std::size_t>(bond.a)) != upper(static_cast<std::size_t>(bond.b)) ? 1 : 0);
  BondBreaker breaker(broken);
  body.visit_state(breaker);
  body.state_restored();
}

VoxelBodyParams implicitly() {
  VoxelBodyParams params;
  params.integrator = Integrator::implicit_euler;
  return params;
}

VoxelMaterial stuff(double youngs) {
  VoxelMaterial m;
  m.youngs_modulus = youngs;
  m.bond_damping = 0.1;
  return m;
}

/// Least distance of two voxels that no bond joins, of different halves.
template <class Upper>
double least_distance(const Lab& lab, const Upper& upper) {
  double least = 1e300;
  const Elements& e = lab.body().elements();
  for (std::size_t a = 0; a < e.size(); ++a)
    for (std::size_t b = a + 1; b < e.size(); ++b)
      if (upper(a) != upper(b)) least = std::min(least, (e.position[a] - e.position[b]).norm());
  return least;
}

double energy(const Diagnostics& d) { return d.kinetic + d.potential + d.elastic; }

TEST(VoxelImplicitPairs, AnUpperHalfThatIsCutLooseFallsOnTheLowerAndStaysThere) {
  for (const double youngs : {1e5, 1e6, 1e7, 1e8})
    for (const double height : {0.1, 1.0}) {
      Lab lab(box_lattice({4, 8, 4, edge, stuff(youngs)}), {}, implicitly(), {ground()});
      lab.context().gravity = Vec3(0, -9.81, 0);
      const auto upper = [](std::size_t v) { return v >= 64; };
      cut(lab.body(), upper);
      Elements& e = lab.body().elements();
      for (std::size_t v = 64; v < e.size(); ++v) e.position[v].y() += height;
      const double start = energy(lab.diagnostics());
      double least = 1, most = 0;
      for (int i = 0; i < 120; ++i) {
        lab.run(1.0 / 120);
        least = std::min(least, least_distance(lab, upper));
        most = std::max(most, energy(lab.diagnostics()) / start);
      }
      EXPECT_GT(least, 0.9 * edge) << youngs << " from " << height << " m";
      EXPECT_LT(most, 1.001) << youngs << " from " << height << " m";
      double speed = 0, low = 1;
      for (const Vec3& v : e.velocity) speed = std::max(speed, v.norm());
      for (std::size_t v = 64; v < e.size(); ++v) low = std::min(low, e.position[v].y());
      EXPECT_LT(speed, 1e-5) << youngs << " from " << height << " m";
      EXPECT_NEAR(low, 4.5 * edge, 0.02 * edge) << youngs << " from " << height << " m";  // of E = 1e5 by its weight
    }
}

}  // namespace
}  // namespace vw::test

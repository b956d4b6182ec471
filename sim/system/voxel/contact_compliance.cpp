// Power iteration for all pieces at once: pieces share no entry of the matrix.
#include "sim/system/voxel/contact_compliance.h"

#include <cmath>

#include "sim/base/random.h"

namespace vw {
namespace {

constexpr int rounds = 4;           // power iterations; the callers' safety margin exceeds the error that remains
constexpr double tolerance = 0.05;  // of the linear solver, relative
constexpr int most_iterations = 200;

}  // namespace

/// Assembles the matrix of a Newton step without contact with obstacles, which would only make it stiffer.
void ContactCompliance::assemble(const GiveInput& in) {
  const Elements& e = *in.elements;
  const std::size_t n = e.size();
  held_.assign(n, 0);
  for (std::size_t v = 0; v < n; ++v)
    if (in.regions->fixed[v] != 0) held_[v] = all_freedoms;
  for (const HeldVoxel& row : in.regions->held) held_[row.voxel] = row.freedoms;
  TangentOptions options;
  options.geometric = GeometricStiffness::none;
  options.slack = in.slack;
  options.damping_factor = in.constants->damped ? 1 / in.dt : 0;
  tangent_.assemble(*in.topology, *in.constants,
                    {e.position, e.orientation, e.velocity, e.angular_velocity, e.radius, {}}, options);
  diagonal_.resize(n);
  for (std::size_t v = 0; v < n; ++v) {
    const VoxelClass& c = in.constants->of(v);
    diagonal_[v].setZero();
    diagonal_[v].diagonal().head<3>().setConstant(e.mass[v] / (in.dt * in.dt) + c.drag / in.dt);
    diagonal_[v].diagonal().tail<3>().setConstant(c.inertia / (in.dt * in.dt) + c.spin_drag / in.dt);
  }
  system_.assemble(tangent_, diagonal_, held_);
  pieces_.update(*in.topology, held_);
}

/// Makes the next push from the displacements of the pressed voxels' free translations, and stores in give_ the
/// displacement per push of length 1. Each piece's push is scaled to the same norm in the linear solver, whatever the
/// piece's stiffness.
void ContactCompliance::take_way(std::span<const std::uint32_t> pressed) {
  give_.assign(pieces_.count(), 0.0);
  weight_.assign(pieces_.count(), 0.0);
  for (const std::uint32_t v : pressed) {
    const double stiffness = (tangent_.diagonal(v) + diagonal_[v]).topLeftCorner<3, 3>().trace();
    for (std::size_t i = 0; i < 3; ++i) {
      double& way = way_[voxel_freedoms * v + i];
      if ((held_[v] >> i & 1U) != 0) way = 0;  // a held row is that of the identity: the solver returns its push
      give_[pieces_.of(v)] += way * way;
      weight_[pieces_.of(v)] += way * way / stiffness;
    }
  }
  for (std::size_t piece = 0; piece < pieces_.count(); ++piece) {
    const double way = std::sqrt(give_[piece]), scale = weight_[piece] > 0 ? 1 / std::sqrt(weight_[piece]) : 0;
    give_[piece] = length_[piece] > 0 ? way / length_[piece] : 0;
    length_[piece] = scale * way;
    weight_[piece] = scale;
  }
  for (const std::uint32_t v : pressed)
    for (std::size_t i = voxel_freedoms * v; i < voxel_freedoms * v + 3; ++i)
      push_[i] = weight_[pieces_.of(v)] * way_[i];
}

void ContactCompliance::evaluate(const GiveInput& in, std::span<const std::uint32_t> pressed,
                                 std::vector<double>& out) {
  out.assign(pressed.size(), 0.0);
  if (pressed.empty()) return;
  assemble(in);
  const std::size_t rows = voxel_freedoms * in.elements->size();
  push_.assign(rows, 0.0), way_.assign(rows, 0.0);
  const RandomKey key{0, stream_id("contact_give")};
  for (const std::uint32_t v : pressed)  // a common direction plus one of each voxel's own
    Eigen::Map<Vec3>(way_.data() + voxel_freedoms * v) = Vec3(1, 1, 1) + random_direction(key, v);
  length_.assign(pieces_.count(), 1.0);
  take_way(pressed);
  for (int round = 0; round < rounds; ++round) {
    system_.solve(push_, way_, tolerance, most_iterations);
    take_way(pressed);
  }
  for (std::size_t i = 0; i < pressed.size(); ++i) out[i] = give_[pieces_.of(pressed[i])];
}

}  // namespace vw

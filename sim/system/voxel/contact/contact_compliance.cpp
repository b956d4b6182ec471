// Computes the compliance by a power iteration. The iteration runs for all pieces at once, because no entry of the
// matrix couples two pieces.
#include "sim/system/voxel/contact/contact_compliance.h"

#include <cmath>

#include "sim/base/random.h"

namespace vw {
namespace {

// Number of power iterations. The remaining error is covered by the caller's safety margin.
constexpr int rounds = 4;
constexpr double residual_tolerance = 0.05;  // tolerance of the linear solver, relative to the load
constexpr int most_iterations = 200;

}  // namespace

/// Assembles the matrix M / h^2 + C / h + K of a Newton iteration, with mass M, damping C, stiffness K and substep h.
/// Contact with obstacles is left out, because it would only increase the stiffness.
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

/// Sets push_, the load of the next power iteration, to the displacements of the pressed voxels' free translations.
/// Stores the ratio of the norms of displacement and previous load in compliance_. The load of each piece is scaled so
/// that it has the same norm in the preconditioned linear solver, whatever the piece's stiffness. The relative
/// tolerance of the solver then applies to each piece alike.
void ContactCompliance::update_push(std::span<const std::uint32_t> pressed) {
  compliance_.assign(pieces_.count(), 0.0);
  weight_.assign(pieces_.count(), 0.0);
  for (const std::uint32_t v : pressed) {
    const double stiffness = (tangent_.diagonal(v) + diagonal_[v]).topLeftCorner<3, 3>().trace();
    for (std::size_t i = 0; i < 3; ++i) {
      double& displacement = displacement_[voxel_freedoms * v + i];
      // For a constrained degree of freedom, the matrix has a row of the identity matrix. The solver then returns the
      // load, so the displacement 0 is set here.
      if ((held_[v] >> i & 1U) != 0) displacement = 0;
      compliance_[pieces_.of(v)] += displacement * displacement;
      weight_[pieces_.of(v)] += displacement * displacement / stiffness;
    }
  }
  for (std::size_t piece = 0; piece < pieces_.count(); ++piece) {
    const double norm = std::sqrt(compliance_[piece]), scale = weight_[piece] > 0 ? 1 / std::sqrt(weight_[piece]) : 0;
    compliance_[piece] = length_[piece] > 0 ? norm / length_[piece] : 0;
    length_[piece] = scale * norm;
    weight_[piece] = scale;
  }
  for (const std::uint32_t v : pressed)
    for (std::size_t i = voxel_freedoms * v; i < voxel_freedoms * v + 3; ++i)
      push_[i] = weight_[pieces_.of(v)] * displacement_[i];
}

void ContactCompliance::evaluate(const GiveInput& in, std::span<const std::uint32_t> pressed,
                                 std::vector<double>& out) {
  out.assign(pressed.size(), 0.0);
  if (pressed.empty()) return;
  assemble(in);
  const std::size_t rows = voxel_freedoms * in.elements->size();
  push_.assign(rows, 0.0), displacement_.assign(rows, 0.0);
  const RandomKey key{0, stream_id("contact_give")};
  // Start vector of the power iteration: a common direction plus a random direction per voxel, so that the vector is
  // not orthogonal to the wanted eigenvector.
  for (const std::uint32_t v : pressed)
    Eigen::Map<Vec3>(displacement_.data() + voxel_freedoms * v) = Vec3(1, 1, 1) + random_direction(key, v);
  length_.assign(pieces_.count(), 1.0);
  update_push(pressed);
  for (int round = 0; round < rounds; ++round) {
    system_.solve(push_, displacement_, residual_tolerance, most_iterations);
    update_push(pressed);
  }
  for (std::size_t i = 0; i < pressed.size(); ++i) out[i] = compliance_[pieces_.of(pressed[i])];
}

}  // namespace vw

#include "sim/system/fluid/forces/viscosity.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "sim/base/parallel/parallel.h"
#include "sim/system/fluid/rows/each_row.h"
#include "sim/system/fluid/rows/row_images.h"

namespace vw {
namespace {

constexpr std::size_t viscosity_grain = 4096;
/// The solve also ends if the residual, relative to the velocities themselves, is below this multiple of the tolerance.
/// For liquids of low viscosity, the solve therefore ends at once.
constexpr double of_velocity = 0.01;
/// An explicit step that is shorter than this fraction of the longest stable step has an error of less than one percent
/// of the effect of viscosity.
constexpr double short_share = 0.02;

/// Returns the point at which the friction between a particle and a guest (coupled body, guest.h) acts, as a fraction
/// of the path from the particle (0) to the guest's samples (1). Fluid that rotates with a guest must feel no force.
/// Central pair forces of the fluid vanish in such a rotation, so the friction acts at the particle, where the
/// velocities are equal. Forces along the velocity difference do not vanish, because the fluid on the side away from
/// the guest exerts a force. Friction that acts half way balances this force.
double contact_fraction(ViscosityMethod method) { return method == ViscosityMethod::implicit ? 0 : 0.5; }

template <class F>
double sum_over_rows(std::size_t count, F f) {
  return ordered_sum(count, viscosity_grain, 0.0, [&](Range range) {
    double sum = 0;
    for (std::size_t i = range.begin; i < range.end; ++i) sum += static_cast<double>(f(i));
    return sum;
  });
}

float dot(const Float4& a, const Float4& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

/// Returns a + s b in xyz, and w of a.
Float4 plus(const Float4& a, float s, const Float4& b) { return {a.x + s * b.x, a.y + s * b.y, a.z + s * b.z, a.w}; }

Float4 times(const SymmetricBlock& m, const Float4& v) {
  return {m[0] * v.x + m[3] * v.y + m[4] * v.z, m[3] * v.x + m[1] * v.y + m[5] * v.z,
          m[4] * v.x + m[5] * v.y + m[2] * v.z, 0};
}

/// Returns the inverse of the 3 x 3 matrix density I + dt block, with the identity matrix I.
SymmetricBlock inverse_of(const SymmetricBlock& block, float dt, float density) {
  Eigen::Matrix3d m;
  const auto a = [&](std::size_t k) { return static_cast<double>(dt) * static_cast<double>(block[k]); };
  const auto rho = static_cast<double>(density);
  m << rho + a(0), a(3), a(4), a(3), rho + a(1), a(5), a(4), a(5), rho + a(2);
  const Eigen::Matrix3d i = m.inverse();
  const auto f = [](double x) { return static_cast<float>(x); };
  return {f(i(0, 0)), f(i(1, 1)), f(i(2, 2)), f(i(0, 1)), f(i(0, 2)), f(i(1, 2))};
}

}  // namespace

double stable_viscous_step(double viscosity_pas, double density_kgpm3, const SphScale& scale) {
  return viscosity_pas > 0
             ? density_kgpm3 * scale.spacing_m * scale.spacing_m / (viscous_factors().bound * viscosity_pas)
             : std::numeric_limits<double>::infinity();
}

void ViscositySolver::prepare(const SphWorkspace& space, const ViscosityInput& in) {
  const std::size_t n = space.size();
  pairs_.in = space.input();
  pairs_.central = in.method == ViscosityMethod::implicit;
  pairs_.uniform =
      std::all_of(in.viscosity.begin(), in.viscosity.end(), [&](float mu) { return mu == in.viscosity[0]; });
  density_.resize(n);
  for (Float4s* rows : {&velocity_, &residual_, &direction_, &force_}) rows->resize(space.rows.size());
  velocity_[n] = direction_[n] = Float4{};
  each_row(n, [&](std::size_t i) {
    density_[i] = 1 / space.inverse_density[i];
    velocity_[i] = {space.motion[i].x, space.motion[i].y, space.motion[i].z, in.viscosity[i]};
    direction_[i] = {0, 0, 0, in.viscosity[i]};
  });
  skin_.build(space, in.guests, in.owners, in.viscosity, in.wall_friction, contact_fraction(in.method));
}

/// Computes the viscous force for the velocities `moving` of the particles and `walls` of the wall samples. Writes the
/// force to force_.
void ViscositySolver::force_of(const SphWorkspace& space, Float4s& moving, const Float4s& walls) {
  copy_to_images(space, moving);
  pairs_.moving = moving.data();
  pairs_.walls = walls.data();
  viscous_sweep(pairs_, force_);
}

ViscosityResult ViscositySolver::run(SphWorkspace& space, const ViscosityInput& in, double dt, Float4s& acceleration) {
  dt_ = static_cast<float>(dt);
  acceleration.resize(space.size());
  prepare(space, in);
  ViscosityResult result;
  if (!steps_stably(space, in.method)) result = solve(space, in, acceleration);
  finish(space, acceleration);
  return result;
}

/// Returns whether an explicit step is sufficient. The step must be stable. With the implicit method it must also be
/// short enough to be as accurate as the solve. Returns false if guests are in contact with the fluid, because the
/// criterion does not consider their masses.
bool ViscositySolver::steps_stably(const SphWorkspace& space, ViscosityMethod method) const {
  if (skin_.touches()) return false;
  double thickest = 0;
  for (std::size_t i = 0; i < space.size(); ++i)
    thickest = std::max(thickest, static_cast<double>(velocity_[i].w) * static_cast<double>(space.inverse_density[i]));
  const double share = method == ViscosityMethod::implicit ? short_share : 1;
  return static_cast<double>(dt_) <= share * stable_viscous_step(thickest, 1, space.scale);
}

/// Solves (density - dt L) v = density v* by preconditioned conjugate gradients, where v* is the velocity before the
/// solve and L v is the viscous force. The guests' unknowns are solved together with the unknowns of the particles.
ViscosityResult ViscositySolver::solve(SphWorkspace& space, const ViscosityInput& in, const Float4s& begin) {
  const std::size_t n = space.size();
  each_row(n, [&](std::size_t i) { velocity_[i] = plus(velocity_[i], dt_, begin[i]); });
  force_of(space, velocity_, skin_.motion());
  skin_.begin(velocity_, dt_, force_);
  inverse_.resize(n);
  viscous_diagonal_sweep(pairs_, inverse_);
  skin_.add_diagonal(inverse_);
  each_row(n, [&](std::size_t i) {
    inverse_[i] = inverse_of(inverse_[i], dt_, density_[i]);
    const Float4 change = plus(space.motion[i], -1, velocity_[i]);
    residual_[i] = plus(Float4{dt_ * force_[i].x, dt_ * force_[i].y, dt_ * force_[i].z, 0}, density_[i], change);
  });
  // The residual is compared with the effect of viscosity and with the velocities themselves, in units of energy.
  const double moving =
      sum_over_rows(n, [&](std::size_t i) { return density_[i] * dot(space.motion[i], space.motion[i]); });
  ViscosityResult result;
  double ahead = 0;
  for (;; ++result.iterations) {
    const double left = sum_over_rows(n, [&](std::size_t i) { return dot(residual_[i], residual_[i]) / density_[i]; });
    const double done = sum_over_rows(n, [&](std::size_t i) {
      const Float4 change = plus(velocity_[i], -1, space.motion[i]);
      return density_[i] * dot(change, change);
    });
    const double allowed = std::max(done, of_velocity * of_velocity * moving);
    result.error = allowed > 0 ? std::sqrt(left / allowed) : 0;
    if (!(result.error > in.limits.error) || result.iterations >= in.limits.most) return result;
    const double next = precondition();
    turn(result.iterations == 0 ? 0 : next / ahead);
    ahead = next;
    force_of(space, direction_, skin_.direction_motion());
    advance(ahead);
  }
}

double ViscositySolver::precondition() {
  return sum_over_rows(inverse_.size(),
                       [&](std::size_t i) {
                         force_[i] = times(inverse_[i], residual_[i]);
                         return dot(force_[i], residual_[i]);
                       }) +
         skin_.precondition();
}

void ViscositySolver::turn(double keep) {
  const auto kept = static_cast<float>(keep);
  each_row(inverse_.size(), [&](std::size_t i) {
    Float4& row = direction_[i];
    row = {force_[i].x + kept * row.x, force_[i].y + kept * row.y, force_[i].z + kept * row.z, row.w};
  });
  skin_.turn(keep);
}

/// Takes a step along the search direction. On entry, force_ holds the viscous force for the search direction. `ahead`:
/// inner product of the residual and the preconditioned residual.
void ViscositySolver::advance(double ahead) {
  const double of_guests = skin_.apply(direction_, dt_, force_);
  const double product =
      sum_over_rows(
          inverse_.size(),
          [&](std::size_t i) {
            const Float4& row = direction_[i];
            force_[i] = plus(Float4{density_[i] * row.x, density_[i] * row.y, density_[i] * row.z, 0}, -dt_, force_[i]);
            return dot(force_[i], row);
          }) +
      of_guests;
  const double along = product > 0 ? ahead / product : 0;
  const auto step = static_cast<float>(along);
  each_row(inverse_.size(), [&](std::size_t i) {
    velocity_[i] = plus(velocity_[i], step, direction_[i]);
    residual_[i] = plus(residual_[i], -step, force_[i]);
  });
  skin_.advance(along);
}

/// Ends the solve: changes the velocities by the pair forces of the solution. Momentum is therefore conserved, however
/// large the remaining residual is.
void ViscositySolver::finish(SphWorkspace& space, Float4s& acceleration) {
  force_of(space, velocity_, skin_.motion());
  each_row(space.size(), [&](std::size_t i) {
    // The solution is smoother than the applied result and therefore a better warm start.
    const Float4 change = plus(velocity_[i], -1, space.motion[i]);
    acceleration[i] = {change.x / dt_, change.y / dt_, change.z / dt_, 0};
    space.motion[i] = plus(space.motion[i], dt_ * space.inverse_density[i], force_[i]);
  });
  skin_.finish(space, velocity_, dt_);
  copy_to_images(space, space.motion);
}

}  // namespace vw

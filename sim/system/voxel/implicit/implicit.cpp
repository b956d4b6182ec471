// A Newton iteration computes the residual of backward Euler at the current iterate in double precision, assembles the
// tangent's blocks and solves the linear system by conjugate gradients in single precision. Convergence is judged by
// the double-precision residual at the next iterate.
#include "sim/system/voxel/implicit/implicit.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>

#include "sim/base/elementary/elementary.h"
#include "sim/system/voxel/implicit/block_system.h"
#include "sim/system/voxel/implicit/implicit_contact.h"
#include "sim/system/voxel/lattice/lattice_load.h"
#include "sim/system/voxel/lattice/pieces.h"

namespace vw {
namespace {

Quat turned(const Vec3& turn, const Quat& q) {
  const double angle = turn.norm();
  const double half = 0.5 * angle;
  const double sinc = angle > 1e-8 ? elementary::sin(half) / angle : 0.5;
  const Quat step(elementary::cos(half), sinc * turn.x(), sinc * turn.y(), sinc * turn.z());
  Quat out = step * q;
  out.normalize();
  return out;
}

/// Returns the rotation vector of q1 q0^-1.
Vec3 turn_between(const Quat& q0, const Quat& q1) {
  const Quat d = q1 * q0.conjugate();
  const double sine = d.vec().norm();
  const double scale = sine > 1e-8 ? 2 * elementary::atan2(sine, d.w()) / sine : 2 / d.w();
  return scale * d.vec();
}

/// In the convergence test, this fraction of the residual at the initial guess is a lower bound of the load.
constexpr double initial_residual_fraction = 0.3;

/// Number of Newton iterations that are followed by an update of the friction springs between voxels. In later
/// iterations these springs are constant.
constexpr int softenings = 3;

struct Norms {
  double residual = 0, load = 0;
};

}  // namespace

struct ImplicitStepper::Work {
  // State at the start of the step, after the pending impulses were applied.
  std::vector<Vec3> x0, v0, w0;
  std::vector<Quat> q0;
  /// Velocities before the pending impulses were applied, used for the initial guess. During the step, an impulse on
  /// one voxel moves the whole body, so the velocity of this voxel just after the impulse would give a poor initial
  /// guess.
  std::vector<Vec3> v_guess, w_guess;
  // Current iterate: displacement u and rotation vector `turn` since the start of the step, and u / dt and turn / dt.
  std::vector<Vec3> u, turn, velocity, spin;
  // Displacements and orientations at the start of a line search.
  std::vector<Vec3> base_u;
  std::vector<Quat> base_q;
  std::vector<std::uint8_t> held;  ///< constrained degrees of freedom of each voxel (bits)
  std::vector<Collider> colliders;
  std::vector<VoxelContact> contact;
  /// Colliders (bits) that each voxel touched at the start of the step or penetrates at the initial guess.
  std::vector<std::uint32_t> expected;
  /// For each piece: fraction of the displacement of the initial guess after which the piece touches an obstacle, at
  /// most 1.
  std::vector<double> reach;
  std::vector<double> residual, increment;
  std::vector<Block6> diagonal;
  std::vector<std::uint32_t> touched;  ///< 1 for each piece that touches an obstacle
  LatticeLoads loads;
  TangentStiffness tangent;
  BlockSystem system;
  Pieces pieces;
  ImplicitPairs pairs;
  std::vector<VoxelPair> limiting;      ///< pairs whose contact shortens the initial guess
  std::vector<std::uint8_t> colliding;  ///< 1 for each piece that has a voxel in `limiting`

  void begin(const ImplicitBody& body, Elements& elements, double t, double dt);
  void hold(const ImplicitBody& body, Elements& elements, double t, double dt);
  void guess(const ImplicitBody& body, Elements& elements, double dt);
  void stop_at_obstacles(const ImplicitBody& body, Elements& elements);
  void stop_at_itself(const ImplicitBody& body, Elements& elements, double dt);
  [[nodiscard]] Vec3 common_shift(const Elements& elements) const;
  [[nodiscard]] PairGuess pair_guess(const ImplicitBody& body, const Elements& elements, double dt) const {
    return {x0, elements.position, u, turn, v0, elements.radius, body.constants, dt, body.gravity.norm()};
  }
  struct Assumptions {
    bool awaits = false;  ///< Whether expected contacts count as closed while their gap is small.
    bool lags = false;    ///< Whether friction springs keep the stiffness of the last evaluation.
  };
  /// Computes the residual at the current iterate.
  Norms evaluate(const ImplicitBody& body, const Elements& elements, double dt, Assumptions assumed);
  Norms voxel_residual(const ImplicitBody& body, const Elements& elements, std::size_t v, double dt);
  void assemble(const ImplicitBody& body, const Elements& elements, double dt);
  void remember(const Elements& elements);
  void move(Elements& elements, double share);
  Norms search(const ImplicitBody& body, Elements& elements, double dt, bool lags);
  [[nodiscard]] double slope() const;
  void finish(const ImplicitBody& body, Elements& elements, double t, double dt);
};

ImplicitStepper::ImplicitStepper() : work_(std::make_unique<Work>()) {}
ImplicitStepper::~ImplicitStepper() = default;
ImplicitStepper::ImplicitStepper(ImplicitStepper&&) noexcept = default;
ImplicitStepper& ImplicitStepper::operator=(ImplicitStepper&&) noexcept = default;

std::span<const VoxelPair> ImplicitStepper::touching() const { return work_->pairs.touching(); }
bool ImplicitStepper::met_itself() const { return work_->pairs.met(); }

/// Applies the pending impulses and computes the initial guess.
void ImplicitStepper::Work::begin(const ImplicitBody& body, Elements& elements, double t, double dt) {
  const std::size_t n = elements.size();
  v_guess = elements.velocity, w_guess = elements.angular_velocity;
  for (std::size_t v = 0; v < elements.impulse.size(); ++v) {
    elements.velocity[v] += elements.impulse[v] / elements.mass[v];
    elements.angular_velocity[v] += elements.angular_impulse[v] / body.constants->of(v).inertia;
    elements.impulse[v].setZero();
    elements.angular_impulse[v].setZero();
  }
  x0 = elements.position, q0 = elements.orientation;
  hold(body, elements, t, dt);
  v0 = elements.velocity, w0 = elements.angular_velocity;
  pieces.update(*body.topology, held);
  touched.assign(pieces.count(), 0);
  for (std::size_t v = 0; v < body.contacts.size(); ++v)
    if (body.contacts[v].touching != 0) touched[pieces.of(v)] = 1;
  u.resize(n), turn.resize(n), velocity.resize(n), spin.resize(n), contact.resize(n), diagonal.resize(n);
  residual.resize(voxel_freedoms * n), increment.resize(voxel_freedoms * n);
  colliders.clear();
  for (const Collider& collider : body.colliders) colliders.push_back(at_time(collider, dt));
  pairs.begin(body.pairs);
  guess(body, elements, dt);
  stop_at_obstacles(body, elements);
  if (pairs.size() > 0) stop_at_itself(body, elements, dt);
}

/// Computes the initial guess. Unconstrained voxels move with their velocities at the start of the step, before the
/// pending impulses. A piece that is neither constrained nor in contact is also accelerated by gravity.
void ImplicitStepper::Work::guess(const ImplicitBody& body, Elements& elements, double dt) {
  for (std::size_t v = 0; v < elements.size(); ++v) {
    const bool falls = pieces.is_free(pieces.of(v)) && touched[pieces.of(v)] == 0;
    u[v] = elements.position[v] - x0[v];
    if ((held[v] & all_translations) == 0) {
      // The displacement is not computed as a difference of rounded positions, because friction depends on
      // displacements as small as 1e-12 m.
      u[v] = dt * v_guess[v] + (falls ? dt * dt : 0) * body.gravity;
      elements.position[v] = x0[v] + u[v];
    }
    if ((held[v] & all_rotations) == 0) elements.orientation[v] = turned(dt * w_guess[v], q0[v]);
    turn[v] = turn_between(q0[v], elements.orientation[v]);
  }
}

/// Shortens the initial guess of each piece to the point at which its first voxel touches an obstacle. At an initial
/// guess deep inside an obstacle, contact forces would be huge. The error of the linear solve, which is in single
/// precision, could then decide whether the next iterate lies inside or outside the obstacle.
void ImplicitStepper::Work::stop_at_obstacles(const ImplicitBody& body, Elements& elements) {
  const std::size_t n = elements.size();
  expected.assign(n, 0);
  reach.assign(pieces.count(), 1);
  for (std::size_t v = 0; v < n && !body.near.empty(); ++v) {
    if (body.topology->exposed[v] == 0 || (held[v] & all_translations) == all_translations) continue;
    expected[v] = body.contacts[v].touching;
    for (const std::uint32_t index : body.near) {
      const double end =
          query_near(colliders[index], elements.position[v], elements.radius[v]).distance - elements.radius[v];
      if (end >= 0) continue;
      if (index < 32) expected[v] |= 1U << index;
      const double start = query(body.colliders[index], x0[v]).distance - elements.radius[v];
      if (start > 0) reach[pieces.of(v)] = std::min(reach[pieces.of(v)], start / (start - end));
    }
  }
  for (std::size_t v = 0; v < n; ++v) {
    const double share = reach[pieces.of(v)];
    if (share >= 1 || held[v] != 0) continue;
    u[v] *= share;
    turn[v] *= share;
    elements.position[v] = x0[v] + u[v];
    elements.orientation[v] = turned(turn[v], q0[v]);
  }
}

/// Returns the mean displacement of the `colliding` pieces [m]. The result is zero if one of these pieces is
/// constrained or touches an obstacle.
Vec3 ImplicitStepper::Work::common_shift(const Elements& elements) const {
  Vec3 shift = Vec3::Zero();
  double mass = 0;
  for (std::size_t v = 0; v < elements.size(); ++v) {
    const std::size_t piece = pieces.of(v);
    if (colliding[piece] == 0) continue;
    if (!pieces.is_free(piece) || touched[piece] != 0 || reach[piece] < 1) return Vec3::Zero();
    shift += elements.mass[v] * u[v];
    mass += elements.mass[v];
  }
  return mass > 0 ? Vec3(shift / mass) : Vec3(Vec3::Zero());
}

/// If pieces collide with each other, shortens their initial guess to the point at which the first two voxels touch.
/// Only the motion relative to the pieces' common displacement is shortened.
void ImplicitStepper::Work::stop_at_itself(const ImplicitBody& body, Elements& elements, double dt) {
  const double share = pairs.expect(pair_guess(body, elements, dt), limiting);
  if (share >= 1) return;
  colliding.assign(pieces.count(), 0);
  for (const auto& [a, b] : limiting) colliding[pieces.of(a)] = colliding[pieces.of(b)] = 1;
  const Vec3 common = common_shift(elements);
  for (std::size_t v = 0; v < elements.size(); ++v) {
    if (colliding[pieces.of(v)] == 0 || held[v] != 0) continue;
    u[v] = common + share * (u[v] - common);
    turn[v] *= share;
    elements.position[v] = x0[v] + u[v];
    elements.orientation[v] = turned(turn[v], q0[v]);
  }
}

/// Moves constrained voxels to their prescribed state at the end of the step.
void ImplicitStepper::Work::hold(const ImplicitBody& body, Elements& elements, double t, double dt) {
  const std::size_t n = elements.size();
  held.assign(n, 0);
  for (std::size_t v = 0; v < n; ++v) {
    if (body.regions->fixed[v] == 0) continue;
    held[v] = all_freedoms;
    elements.velocity[v].setZero();
    elements.angular_velocity[v].setZero();
  }
  for (const HeldVoxel& row : body.regions->held) {
    const std::size_t v = row.voxel;
    held[v] = row.freedoms;
    Vec3& x = elements.position[v];
    x += dt * elements.velocity[v];
    Quat& q = elements.orientation[v];
    q = turned(dt * elements.angular_velocity[v], q);
    apply_held(row, t + dt, dt, body.rest_position[v], body.rest_orientation[v], x, q, elements.velocity[v],
               elements.angular_velocity[v]);
  }
}

/// Computes the residual rows of one voxel: inertia minus all loads at the current iterate. Returns the squared norms
/// of the residual and of the load.
Norms ImplicitStepper::Work::voxel_residual(const ImplicitBody& body, const Elements& elements, std::size_t v,
                                            double dt) {
  const VoxelClass& c = body.constants->of(v);
  const double edge = body.constants->edge_m;
  const Vec3 inertia = elements.mass[v] / dt * (velocity[v] - v0[v]), spin_inertia = c.inertia / dt * (spin[v] - w0[v]);
  Vec3 outer = elements.mass[v] * body.gravity, outer_moment = Vec3::Zero();
  if (!body.regions->force.empty()) outer += body.regions->force[v];
  if (!body.regions->torque.empty()) outer_moment += body.regions->torque[v];
  if (!body.force.empty()) outer += body.force[v];
  if (!body.moment.empty()) outer_moment += body.moment[v];
  if (pairs.size() > 0) outer += pairs.force(v), outer_moment += pairs.moment(v);
  outer -= c.drag * velocity[v];
  outer_moment -= c.spin_drag * spin[v];
  const Vec3 force = inertia - loads.force()[v] - outer - contact[v].force,
             moment = spin_inertia - loads.moment()[v] - outer_moment;
  Norms norms;
  for (Eigen::Index i = 0; i < 6; ++i) {
    const bool free = (held[v] >> i & 1U) == 0;
    const double value = i < 3 ? force[i] : moment[i - 3];
    residual[voxel_freedoms * v + static_cast<std::size_t>(i)] = free ? value : 0;
    const double scaled = i < 3 ? value : value / edge;
    if (free) norms.residual += scaled * scaled;
  }
  norms.load = inertia.squaredNorm() + outer.squaredNorm() + contact[v].force.squaredNorm() +
               (spin_inertia.squaredNorm() + outer_moment.squaredNorm()) / (edge * edge);
  return norms;
}

Norms ImplicitStepper::Work::evaluate(const ImplicitBody& body, const Elements& elements, double dt,
                                      Assumptions assumed) {
  const std::size_t n = elements.size();
  for (std::size_t v = 0; v < n; ++v) {
    velocity[v] = u[v] / dt;
    spin[v] = turn[v] / dt;
  }
  loads.evaluate(*body.topology, *body.constants,
                 {elements.position, elements.orientation, velocity, spin, elements.radius, {}}, body.constants->damped,
                 body.slack);
  if (pairs.size() > 0) pairs.evaluate(pair_guess(body, elements, dt), assumed.awaits);
  const ImplicitContactInput in{colliders, body.near, body.constants, dt, body.gravity};
  Norms norms;
  for (std::size_t v = 0; v < n; ++v) {
    const bool outside = body.topology->exposed[v] != 0 && (held[v] & all_translations) != all_translations;
    if (!outside || body.near.empty())
      contact[v] = {};
    else
      contact[v] = implicit_contact(in, v, elements.radius[v], elements.position[v], u[v], v0[v], body.contacts[v],
                                    assumed.awaits ? expected[v] : 0, assumed.lags ? &contact[v] : nullptr);
    const Norms own = voxel_residual(body, elements, v, dt);
    norms.residual += own.residual;
    norms.load += own.load;
  }
  norms.residual = std::sqrt(norms.residual);
  norms.load = std::sqrt(norms.load);
  return norms;
}

/// Assembles M / h^2 + C / h + K plus the contact stiffness, with the mass M, damping C, stiffness K and step h = `dt`.
/// Geometric stiffness is left out, so that the matrix is positive definite at any shape.
void ImplicitStepper::Work::assemble(const ImplicitBody& body, const Elements& elements, double dt) {
  TangentOptions options;
  options.geometric = GeometricStiffness::none;
  options.slack = body.slack;
  options.damping_factor = body.constants->damped ? 1 / dt : 0;
  const VoxelView view{elements.position, elements.orientation,  velocity, spin,
                       elements.radius,   loads.volume_tension()};
  tangent.assemble(*body.topology, *body.constants, view, options);
  for (std::size_t v = 0; v < elements.size(); ++v) {
    const VoxelClass& c = body.constants->of(v);
    diagonal[v].setZero();
    diagonal[v].diagonal().head<3>().setConstant(elements.mass[v] / (dt * dt) + c.drag / dt);
    diagonal[v].diagonal().tail<3>().setConstant(c.inertia / (dt * dt) + c.spin_drag / dt);
    diagonal[v].topLeftCorner<3, 3>() += contact[v].stiffness;
  }
  if (pairs.size() > 0) pairs.add_stiffness(diagonal);
  system.assemble(tangent, diagonal, held, pairs.blocks());
}

void ImplicitStepper::Work::remember(const Elements& elements) {
  base_u = u;
  base_q = elements.orientation;
}

/// Applies the fraction `share` of the increment to the state saved by remember().
void ImplicitStepper::Work::move(Elements& elements, double share) {
  for (std::size_t v = 0; v < elements.size(); ++v) {
    const Vec3 shift = share * Eigen::Map<const Vec3>(increment.data() + voxel_freedoms * v);
    const Vec3 rotate = share * Eigen::Map<const Vec3>(increment.data() + voxel_freedoms * v + 3);
    u[v] = base_u[v] + shift;
    elements.position[v] = x0[v] + u[v];
    elements.orientation[v] = turned(rotate, base_q[v]);
    turn[v] = turn_between(q0[v], elements.orientation[v]);
  }
}

/// Returns the derivative of the step's incremental potential along the increment.
double ImplicitStepper::Work::slope() const {
  double sum = 0;
  for (std::size_t i = 0; i < residual.size(); ++i) sum += residual[i] * increment[i];
  return sum;
}

/// Applies the increment with a line search on the slope of the incremental potential. The whole increment is taken if
/// the slope at its end has decreased enough or is still negative. Otherwise a fraction of the increment is found by
/// false position, safeguarded by bisection. The search is needed because the tangent does not include contacts that
/// open or close. Returns the norms at the new iterate.
Norms ImplicitStepper::Work::search(const ImplicitBody& body, Elements& elements, double dt, bool lags) {
  constexpr double enough = 0.7;
  constexpr int most_trials = 8;
  const double start = -slope();  // step() has negated the residual
  remember(elements);
  double low = 0, high = 1, low_slope = start, share = 1;
  Norms norms;
  for (int trial = 0; trial < most_trials; ++trial) {
    move(elements, share);
    norms = evaluate(body, elements, dt, {.lags = lags});
    const double here = slope();
    if (std::abs(here) <= enough * std::abs(start) || (trial == 0 && here < 0)) break;
    double high_slope = here;
    if (here < 0)
      low = share, low_slope = here;
    else
      high = share;
    if (here < 0) high_slope = -low_slope;
    const double guess = low + (high - low) * low_slope / (low_slope - high_slope);
    share = std::clamp(guess, low + 0.1 * (high - low), high - 0.1 * (high - low));
  }
  return norms;
}

/// Sets the velocities, stores the contact states and corrects the momentum.
void ImplicitStepper::Work::finish(const ImplicitBody& body, Elements& elements, double t, double dt) {
  const std::size_t n = elements.size();
  for (std::size_t v = 0; v < n; ++v) {
    elements.velocity[v] = u[v] / dt;
    elements.angular_velocity[v] = turn[v] / dt;
    if (!body.contacts.empty()) body.contacts[v] = {contact[v].sticks, contact[v].touching};
  }
  for (const HeldVoxel& row : body.regions->held) {
    const double rate = ramp_at(t + dt, row.ramp_s).rate;
    for (Eigen::Index i = 0; i < 3; ++i) {
      if ((row.freedoms >> i & 1U) != 0) elements.velocity[row.voxel][i] = rate * row.displacement[i];
      if ((row.freedoms >> (i + 3) & 1U) != 0) elements.angular_velocity[row.voxel][i] = rate * row.rotation[i];
    }
  }
  touched.assign(pieces.count(), 0);
  for (std::size_t v = 0; v < n; ++v)
    if (contact[v].touching != 0 || contact[v].count > 0) touched[pieces.of(v)] = 1;
  pieces.restore_momentum(*body.constants, {v0, residual, touched, pairs.touching(), dt}, elements);
}

ImplicitStepper::Report ImplicitStepper::step(const ImplicitBody& body, Elements& elements, double t, double dt) {
  Work& w = *work_;
  Report report;
  w.begin(body, elements, t, dt);
  Norms norms = w.evaluate(body, elements, dt, {.awaits = true});
  if (w.pairs.update_friction_springs(w.pair_guess(body, elements, dt)))
    norms = w.evaluate(body, elements, dt, {.awaits = true});
  // A fraction of the initial residual counts as a load, because changing rest lengths and a rotation of the body cause
  // a residual even without a load.
  const double initial_residual = initial_residual_fraction * norms.residual;
  const auto relative = [&] {
    return norms.residual > 0 ? norms.residual / std::max({norms.load, initial_residual, 1e-300}) : 0;
  };
  const auto most = [&] { return w.pairs.met() ? body.newton_iterations_in_pieces : body.newton_iterations; };
  while (relative() > body.tolerance && report.newton < most()) {
    w.assemble(body, elements, dt);
    for (double& value : w.residual) value = -value;
    const double wanted = std::clamp(0.3 * body.tolerance / relative(), 1e-6, 0.1);
    report.cg += w.system.solve(w.residual, w.increment, wanted, body.iterations).iterations;
    ++report.newton;
    norms = w.search(body, elements, dt, report.newton > 1);
    if (report.newton <= softenings && w.pairs.update_friction_springs(w.pair_guess(body, elements, dt)))
      norms = w.evaluate(body, elements, dt, {.lags = true});
  }
  w.finish(body, elements, t, dt);
  report.residual = relative();
  report.converged = report.residual <= body.tolerance;
  report.residual_displacement_m =
      norms.residual * dt * dt / *std::min_element(elements.mass.begin(), elements.mass.end());
  return report;
}

double numerical_damping_ratio(double omega, double h) {
  const double z = omega * h;
  if (z <= 0) return 0;
  const double decay = 0.5 * elementary::log1p(z * z), phase = elementary::atan(z);
  return decay / elementary::hypot(decay, phase);
}

}  // namespace vw

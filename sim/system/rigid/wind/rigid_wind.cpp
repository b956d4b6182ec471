#include "sim/system/rigid/wind/rigid_wind.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Eigenvalues>

#include "sim/base/parallel/parallel.h"
#include "sim/field/drag/shade.h"
#include "sim/field/drag/sphere_drag.h"

namespace vw {
namespace {

constexpr std::size_t wind_bodies_a_chunk = 16;
/// For each component of the wind load, the range under which the body has stayed at rest is stored. A sleeping body
/// wakes if a component lies outside its range by more than this fraction of the width of the range.
constexpr double beyond_borne = 0.25;

/// Returns the matrix S [kg/s] for which the wind force on a face is S u / 2, where u is the relative wind velocity.
/// Without lift, S is the derivative of the force with respect to u. S is symmetric and positive semidefinite. If the
/// suction on a sheltered face exceeds the pressure, so that the face is pulled against the wind, S omits this force.
Mat3 face_slope(const FaceDrag& drag, const Vec3& u, const Vec3& normal, double area, const FaceShade& shade) {
  const double across = u.dot(normal);
  const Vec3 along = u - across * normal;
  const double speed = along.norm();
  const double pressure =
      across < 0 ? std::max(0.0, drag.pressure * shade.struck - drag.suction * (1 - shade.struck)) : drag.suction;
  Mat3 rubbing = speed * (Mat3::Identity() - normal * normal.transpose());
  if (speed > 0) rubbing += along * along.transpose() / speed;
  return drag.air_density * area *
         (pressure * pressing_speed(drag, std::abs(across), u) * normal * normal.transpose() +
          0.5 * drag.friction * shade.rubbed * rubbing);
}

/// Returns an upper bound of the trace of face_slope(), found without forming the matrix.
double most_slope(const FaceDrag& drag, const Vec3& u, double area) {
  return drag.air_density * area *
         ((1 + 0.25 * pi * drag.lift) * std::max(drag.pressure, drag.suction) + 1.5 * drag.friction) * u.norm();
}

/// Returns the change of a body's twist (velocity and angular velocity) that a load causes in the time dt. The change
/// is limited so that no component of the motion relative to the air is reversed. Let H be the derivative of the load,
/// in coordinates in which all masses are 1. Along the eigenvectors of H the change is dv = min(1, 1 / (dt H)) dt load.
/// In a uniform wind the load is H u / 2 for the relative twist u, because the load is quadratic in u. Every component
/// of u thus keeps at least half of its value. The limit does not affect components with dt H <= 1.
Vec6 limited_change(const Mat6& slope, const Mat6& inverse_root, const Vec6& load, double dt) {
  const Eigen::SelfAdjointEigenSolver<Mat6> parts(dt * inverse_root * slope * inverse_root);
  Vec6 along = parts.eigenvectors().transpose() * (inverse_root * load);
  for (int k = 0; k < 6; ++k) along[k] *= dt / std::max(1.0, parts.eigenvalues()[k]);
  return inverse_root * (parts.eigenvectors() * along);
}

/// Returns the inverse square root of the 6 x 6 mass matrix (velocity, angular velocity) in world axes.
Mat6 inverse_root_of(const RigidBody& body, const Quat& orientation) {
  const Mat3 axes = orientation.toRotationMatrix() * body.inertia.axes;
  Mat6 root = Mat6::Zero();
  root.topLeftCorner<3, 3>() = Mat3::Identity() / std::sqrt(body.mass_kg);
  root.bottomRightCorner<3, 3>() =
      axes * body.inertia.moments.cwiseSqrt().cwiseInverse().asDiagonal() * axes.transpose();
  return root;
}

void widen(Vec3& low, Vec3& high, const Vec3& load) { low = low.cwiseMin(load), high = high.cwiseMax(load); }

/// Returns whether a component of `load` lies outside the range from `low` to `high` by more than `margin` plus the
/// fraction beyond_borne of the width of the range.
bool is_beyond(const Vec3& low, const Vec3& high, const Vec3& load, double margin) {
  const Eigen::Array3d spare = beyond_borne * (high - low).array() + margin;
  return !((load - high).array() <= spare).all() || !((low - load).array() <= spare).all();
}

}  // namespace

void RigidWind::prepare(std::span<const RigidBody> bodies) {
  surfaces_.clear();
  first_.assign(1, 0);
  for (const RigidBody& body : bodies) {
    const bool copied = !surfaces_.empty() && (&body)[-1].node == body.node;
    surfaces_.push_back(copied ? surfaces_.back() : std::make_shared<const WindSurface>(wind_surface(body.shape)));
    first_.push_back(first_.back() + surfaces_.back()->parts.size());
  }
}

/// Returns the coefficients of a body's faces. If the world has a medium, the pressure coefficient of a ball is chosen
/// such that the ball has the drag of a sphere at the ball's Reynolds number (sphere_drag.h). For a ball, a pressure
/// coefficient c_p on the front gives the drag coefficient c_p / 2, and skin friction c_f gives the drag coefficient 3
/// pi / 4 c_f.
FaceDrag RigidWind::drag_of(const RigidScene& scene, std::size_t i) const {
  const RigidBody& body = scene.bodies[i];
  const FaceDrag drag{params_.wind_drag * body.wind_drag, params_.wind_friction, params_.air_density,
                      params_.wind_suction * body.wind_drag, params_.wind_lift};
  const auto* ball = std::get_if<SphereShape>(&body.shape);
  if (!(medium_.density > 0) || ball == nullptr) return drag;
  Vec3 air = Vec3::Zero();
  for (std::size_t k = first_[i]; k < first_[i + 1]; ++k) air += air_[k];
  const double speed = (air / static_cast<double>(first_[i + 1] - first_[i]) - scene.rows->velocity[i]).norm();
  const double reynolds = 2 * medium_.density * ball->radius_m * speed / medium_.viscosity;
  // Lower bound of the Reynolds number, which avoids a division by 0 for a ball that moves with the air.
  constexpr double least = 1e-12;
  const double wanted = sphere_drag(std::max(reynolds, least)) - 0.75 * pi * drag.friction;
  return {2 * std::max(0.0, wanted) * params_.wind_drag * body.wind_drag, drag.friction, drag.air_density, 0, 0};
}

/// Calls visit(arm, normal, dry area, air, shade) for each part. Vectors are in world axes. `arm` is the vector from
/// the centre of mass to the part.
template <class F>
void RigidWind::each_part(const RigidScene& scene, std::size_t body, F visit) const {
  const Mat3 turn = scene.rows->orientation[body].toRotationMatrix();
  const Vec3& center = scene.bodies[body].center;
  const auto& parts = surfaces_[body]->parts;
  for (std::size_t k = 0; k < parts.size(); ++k)
    visit(turn * (parts[k].place - center), turn * parts[k].normal,
          wet_.empty() ? parts[k].area : (1 - wet_[first_[body] + k]) * parts[k].area, air_[first_[body] + k],
          shade_.empty() ? FaceShade{} : shade_[first_[body] + k]);
}

void RigidWind::begin_step(const StepContext& context, const RigidScene& scene, const RigidWindParams& params,
                           const RestRule& rule) {
  params_ = params;
  given_.setZero();
  wakes_.clear();
  wet_.clear();
  blows_ = params.wind && context.fields != nullptr && context.fields->is_felt();
  medium_ = {};
  if (blows_ && context.fields->has_medium()) medium_ = context.fields->medium_or({});
  if (medium_.density > 0) params_.air_density = medium_.density;
  if (!blows_ && force_low_.empty()) return;
  if (first_.size() != scene.bodies.size() + 1) prepare(scene.bodies);
  if (force_low_.empty()) forget_borne(scene);
  pushes_.resize(scene.bodies.size());
  if (blows_) {
    sample_air(context, scene);
    cast_shades(scene);
  }
  look_at_sleepers(context, scene, rule);
}

/// Resets the ranges of the wind loads under which bodies have stayed at rest. The range of a sleeping body contains
/// only the load 0, because no wind has acted on the body so far. The range of an awake body is empty.
void RigidWind::forget_borne(const RigidScene& scene) {
  constexpr double most = std::numeric_limits<double>::max();
  for (auto* column : {&force_low_, &moment_low_}) column->assign(scene.bodies.size(), Vec3::Constant(most));
  for (auto* column : {&force_high_, &moment_high_}) column->assign(scene.bodies.size(), Vec3::Constant(-most));
  for (std::size_t i = 0; i < scene.bodies.size(); ++i)
    if (scene.sleeps(i)) force_low_[i] = force_high_[i] = moment_low_[i] = moment_high_[i] = Vec3::Zero();
}

void RigidWind::sample_air(const StepContext& context, const RigidScene& scene) {
  place_.resize(first_.back()), air_.resize(first_.back());
  parallel_for(scene.bodies.size(), wind_bodies_a_chunk, [&](Range range, std::size_t) {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const Pose pose = scene.bodies[i].shape_at(scene.rows->position[i], scene.rows->orientation[i]);
      const auto& parts = surfaces_[i]->parts;
      for (std::size_t k = 0; k < parts.size(); ++k)
        place_[first_[i] + k] = pose.position + pose.orientation * parts[k].place;
    }
  });
  context.fields->velocity(place_, context.time, air_);
}

/// Computes how much each part of a hollow body is sheltered from the mean relative wind by other parts of the body.
/// The shelter is reduced if the wind reaches the parts from many directions, as on a spinning body.
void RigidWind::cast_shades(const RigidScene& scene) {
  shade_.clear();
  const bool any = std::any_of(surfaces_.begin(), surfaces_.end(), [](const auto& surface) { return surface->hollow; });
  if (!any || params_.wind_shielding == 0) return;
  shade_.assign(first_.back(), FaceShade{});
  std::vector<ShadeFace> faces;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    if (!surfaces_[i]->hollow) continue;
    faces.clear();
    Vec3 wind = Vec3::Zero();
    double area = 0, squares = 0;
    each_part(scene, i, [&](const Vec3& arm, const Vec3& normal, double part, const Vec3& air, const FaceShade&) {
      faces.push_back(shade_square(arm, normal, part));
      const Vec3 u = air - scene.rows->velocity[i] - scene.rows->angular_velocity[i].cross(arm);
      wind += part * u, squares += part * u.squaredNorm(), area += part;
    });
    if (!(squares > 0) || !wind.allFinite()) continue;
    const double amount = params_.wind_shielding * std::min(1.0, 2 * wind.squaredNorm() / (area * squares));
    if (!(amount > 0)) continue;
    const double part_m = surfaces_[i]->part_m;
    const auto shade = std::span(shade_).subspan(first_[i], faces.size());
    caster_.evaluate(faces, wind.normalized(), part_m / 3, part_m, shade);
    for (FaceShade& one : shade) one = {1 - amount * (1 - one.struck), 1 - amount * (1 - one.rubbed)};
  }
}

const RigidWind::Places& RigidWind::places_of(const RigidBody& body, std::size_t row, std::span<const Vec3> place) {
  constexpr double far_away = std::numeric_limits<double>::infinity();
  Places& places = places_[{surfaces_[row].get(), place.size()}];
  if (places.on.size() == place.size()) return places;
  const auto& parts = surfaces_[row]->parts;
  places.on.assign(place.size(), {});
  places.nearest_to.assign(parts.size(), 0);
  std::vector<double> depth(place.size()), closest(parts.size(), far_away);
  for (std::size_t s = 0; s < place.size(); ++s)
    depth[s] = std::abs(query(body.shape, place[s] + body.center).distance);
  const double first_layer = 2 * *std::min_element(depth.begin(), depth.end());
  for (std::size_t s = 0; s < place.size(); ++s) {
    if (depth[s] > first_layer) continue;
    PlaceOn& on = places.on[s];
    std::array<double, 2> least{far_away, far_away};
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const double far = (parts[k].place - body.center - place[s]).norm();
      if (far < closest[k]) closest[k] = far, places.nearest_to[k] = static_cast<std::uint32_t>(s);
      if (far >= least[1]) continue;
      least[1] = far, on.part[1] = static_cast<std::uint32_t>(k);
      if (least[1] < least[0]) std::swap(least[0], least[1]), std::swap(on.part[0], on.part[1]);
    }
    on.share[0] = std::isfinite(least[1]) ? least[1] / (least[0] + least[1]) : 1;
    on.share[1] = 1 - on.share[0];
  }
  return places;
}

void RigidWind::keep_off(const RigidBody& body, std::size_t row, std::span<const Vec3> place,
                         std::span<const float> wet) {
  if (!blows_ || wet.empty() || surfaces_[row]->parts.empty()) return;
  if (wet_.empty() && std::all_of(wet.begin(), wet.end(), [](float one) { return one == 0; })) return;
  wet_.resize(first_.back(), 0);
  const Places& places = places_of(body, row, place);
  std::vector<double> sum(surfaces_[row]->parts.size(), 0), all = sum;
  for (std::size_t s = 0; s < place.size(); ++s)
    for (std::size_t side = 0; side < 2; ++side) {
      const PlaceOn& on = places.on[s];
      all[on.part[side]] += on.share[side];
      sum[on.part[side]] += on.share[side] * static_cast<double>(wet[s]);
    }
  for (std::size_t k = 0; k < sum.size(); ++k) {
    const double share = all[k] > 0 ? sum[k] / all[k] : static_cast<double>(wet[places.nearest_to[k]]);
    // If several liquids cover the part, the largest fraction is stored.
    wet_[first_[row] + k] = std::max(wet_[first_[row] + k], share);
  }
}

WindLoad RigidWind::load_of(const RigidScene& scene, std::size_t body) const {
  WindLoad load;
  if (!blows_) return load;
  const Vec3 &v = scene.rows->velocity[body], &spin = scene.rows->angular_velocity[body];
  const FaceDrag drag = drag_of(scene, body);
  each_part(scene, body,
            [&](const Vec3& arm, const Vec3& normal, double area, const Vec3& air, const FaceShade& shade) {
              const Vec3 force = face_force(drag, air - v - spin.cross(arm), normal, area, shade);
              load.force += force, load.moment += arm.cross(force);
            });
  return load;
}

/// Marks the sleeping bodies whose wind load is outside the range of loads under which they have stayed at rest,
/// extended by a tolerance. The tolerance is the load that would move a free body by the largest displacement that
/// counts as rest. Without gravity, the tolerance is 0.
void RigidWind::look_at_sleepers(const StepContext& context, const RigidScene& scene, const RestRule& rule) {
  const double shortest_s = 0.05, after_s = std::max(rule.after_s, shortest_s);
  const double slight = context.gravity.isZero(0) ? 0 : 2 * rule.drift_m / (after_s * after_s);  // [m/s^2]
  wakes_.assign(scene.bodies.size(), 0);
  parallel_for(scene.bodies.size(), wind_bodies_a_chunk, [&](Range range, std::size_t) {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      if (!scene.sleeps(i)) continue;
      const WindLoad load = load_of(scene, i);
      const double margin = slight * scene.bodies[i].mass_kg;
      wakes_[i] = is_beyond(force_low_[i], force_high_[i], load.force, margin) ||
                  is_beyond(moment_low_[i], moment_high_[i], load.moment, margin * scene.bodies[i].reach_m);
    }
  });
}

RigidWind::Push RigidWind::push_of(const RigidScene& scene, std::size_t i) const {
  const RigidBody& body = scene.bodies[i];
  const Vec3 &v = scene.rows->velocity[i], &spin = scene.rows->angular_velocity[i];
  const FaceDrag drag = drag_of(scene, i);
  Push push;
  double moves = 0, turns = 0;
  each_part(scene, i, [&](const Vec3& arm, const Vec3& normal, double area, const Vec3& air, const FaceShade& shade) {
    const Vec3 u = air - v - spin.cross(arm), force = face_force(drag, u, normal, area, shade);
    const double slope = most_slope(drag, u, area);
    push.load.force += force, push.load.moment += arm.cross(force);
    moves += slope, turns += slope * arm.squaredNorm();
  });
  const double stiffness = scene.dt * (moves / body.mass_kg + turns / body.inertia.moments.minCoeff());
  // The health check reports loads that are not finite.
  if (stiffness <= 1 || !std::isfinite(stiffness)) {
    push.velocity = scene.dt / body.mass_kg * push.load.force;
    push.spin = scene.dt * (body.inertia.inverse(scene.rows->orientation[i]) * push.load.moment);
    return push;
  }
  Mat6 slope = Mat6::Zero();
  each_part(scene, i, [&](const Vec3& arm, const Vec3& normal, double area, const Vec3& air, const FaceShade& shade) {
    const Mat3 k = face_slope(drag, air - v - spin.cross(arm), normal, area, shade), lever = cross_matrix(arm);
    slope.topLeftCorner<3, 3>() += k;
    slope.topRightCorner<3, 3>() -= k * lever;
    slope.bottomLeftCorner<3, 3>() += lever * k;
    slope.bottomRightCorner<3, 3>() -= lever * k * lever;
  });
  Vec6 load;
  load << push.load.force, push.load.moment;
  const Vec6 change = limited_change(slope, inverse_root_of(body, scene.rows->orientation[i]), load, scene.dt);
  push.velocity = change.head<3>(), push.spin = change.tail<3>();
  return push;
}

void RigidWind::find_pushes(const RigidScene& scene, std::span<const std::uint8_t> driven) {
  if (!blows_) return;
  parallel_for(scene.bodies.size(), wind_bodies_a_chunk, [&](Range range, std::size_t) {
    for (std::size_t i = range.begin; i < range.end; ++i)
      if (driven[i] == 0 && !scene.sleeps(i)) pushes_[i] = push_of(scene, i);
  });
}

void RigidWind::push(const RigidScene& scene, std::size_t body) {
  if (!blows_) return;
  scene.rows->velocity[body] += pushes_[body].velocity;
  scene.rows->angular_velocity[body] += pushes_[body].spin;
  given_ += scene.bodies[body].mass_kg * pushes_[body].velocity;
}

void RigidWind::note_borne(std::span<const std::uint8_t> awake, std::span<const std::uint8_t> moved) {
  for (std::size_t i = 0; i < force_low_.size(); ++i) {
    if (awake[i] == 0) continue;
    const WindLoad load = blows_ ? pushes_[i].load : WindLoad{};
    if (moved[i] != 0) {
      force_low_[i] = force_high_[i] = load.force;
      moment_low_[i] = moment_high_[i] = load.moment;
    }
    widen(force_low_[i], force_high_[i], load.force);
    widen(moment_low_[i], moment_high_[i], load.moment);
  }
}

void RigidWind::visit_state(StateVisitor& visit) {
  visit.rows(state_element);
  visit("wind_force_low", force_low_, state_finite);
  visit("wind_force_high", force_high_, state_finite);
  visit("wind_moment_low", moment_low_, state_finite);
  visit("wind_moment_high", moment_high_, state_finite);
}

std::string RigidWind::problem(std::size_t bodies) const {
  for (const auto* column : {&force_low_, &force_high_, &moment_low_, &moment_high_})
    if (column->size() != force_low_.size() || (!column->empty() && column->size() != bodies))
      return "the state has wind forces for a different number of bodies than the scene";
  return {};
}

const ParamTable<RigidWindParams>& rigid_wind_params() {
  using W = RigidWindParams;
  static const ParamTable<W> table{
      Param<W>{.member = &W::wind,
               .key = "wind",
               .label = "Affected by wind",
               .live = Live::yes,
               .doc = "Whether wind acts on the surfaces of bodies."},
      Param<W>{.member = &W::wind_drag,
               .key = "wind_drag",
               .unit = Unit::ratio,
               .range = {0, 10},
               .live = Live::yes,
               .doc = "Pressure coefficient of surfaces that the wind blows against. If the wind blows at the speed "
                      "u_n along the normal, the pressure is wind_drag * air_density * u_n^2 / 2. The drag "
                      "coefficients of a plate across the wind, a rod and a ball are 1, 2/3 and 1/2 times this value."},
      Param<W>{.member = &W::wind_friction,
               .key = "wind_friction",
               .unit = Unit::ratio,
               .range = {0, 1},
               .live = Live::yes,
               .doc = "Friction coefficient of surfaces along which the wind blows. At the tangential speed u_t, the "
                      "shear stress is wind_friction * air_density * u_t^2 / 2."},
      Param<W>{.member = &W::wind_suction,
               .key = "wind_suction",
               .unit = Unit::ratio,
               .range = {0, 10},
               .live = Live::yes,
               .doc = "Suction coefficient of surfaces that face away from the wind or are sheltered from it. If the "
                      "wind has the speed u_n along the normal, the suction wind_suction * air_density * u_n^2 / 2 "
                      "pulls such a surface outwards. 0 means no suction."},
      Param<W>{.member = &W::wind_lift,
               .key = "wind_lift",
               .unit = Unit::ratio,
               .range = {0, 1},
               .live = Live::yes,
               .doc = "Dependence of the wind pressure on the angle of attack. At 0, the pressure is proportional to "
                      "the square of the sine of that angle, as on thick bodies. At 1, the pressure is proportional to "
                      "the sine at small angles, which gives lift to thin plates, sails and wings."},
      Param<W>{.member = &W::wind_shielding,
               .key = "wind_shielding",
               .unit = Unit::ratio,
               .range = {0, 1},
               .live = Live::yes,
               .doc = "Fraction of the wind that is blocked for parts of a mesh that lie behind other parts of the "
                      "same mesh. Bodies do not shelter each other. 0 means no shelter."},
      Param<W>{.member = &W::air_density,
               .key = "air_density",
               .unit = Unit::kilogram_per_m3,
               .range = {0, 100},
               .live = Live::yes,
               .doc = "Density of the air, for the forces of wind. If the world has a medium, `world.medium_density` "
                      "replaces this value."},
  };
  return table;
}

}  // namespace vw

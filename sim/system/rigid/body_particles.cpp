#include "sim/system/rigid/body_particles.h"

#include <algorithm>

#include "sim/collision/shape/particle_fill.h"
#include "sim/system/rigid/rigid.h"

namespace vw {
namespace {

bool same(const PlaneShape&, const PlaneShape&) { return true; }
bool same(const SphereShape& a, const SphereShape& b) { return a.radius_m == b.radius_m; }
bool same(const BoxShape& a, const BoxShape& b) { return a.half_extent_m == b.half_extent_m; }
bool same(const CapsuleShape& a, const CapsuleShape& b) {
  return a.radius_m == b.radius_m && a.half_length_m == b.half_length_m;
}
bool same(const CylinderShape& a, const CylinderShape& b) {
  return a.radius_m == b.radius_m && a.half_length_m == b.half_length_m;
}
bool same(const std::shared_ptr<const Geometry>& a, const std::shared_ptr<const Geometry>& b) { return a == b; }

bool same_shape(const Shape& a, const Shape& b) {
  return a.index() == b.index() &&
         std::visit([&](const auto& one) { return same(one, std::get<std::decay_t<decltype(one)>>(b)); }, a);
}

}  // namespace

BodyParticles::BodyParticles(std::span<const RigidBody> bodies, double diameter_m) : diameter_m_(diameter_m) {
  // Index of the first body of each shape. The list is searched backwards, because most bodies have the shape of the
  // body before them.
  std::vector<std::size_t> kinds;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto like = std::find_if(kinds.rbegin(), kinds.rend(),
                                   [&](std::size_t k) { return same_shape(bodies[k].shape, bodies[i].shape); });
    const bool is_new = like == kinds.rend();
    fills_.push_back(is_new ? fill(bodies[i]) : fills_[*like]);
    if (is_new) kinds.push_back(i);
  }
}

std::shared_ptr<const BodyParticles::Fill> BodyParticles::fill(const RigidBody& body) {
  auto made = std::make_shared<Fill>();
  auto places = fill_with_particles(body.shape, diameter_m_);
  if (!places) {
    if (problem_.empty()) problem_ = "body " + body.name + ": " + places.error().message();
    return made;
  }
  made->places = std::move(*places);
  for (Vec3& place : made->places) {
    place -= body.center;
    made->picture.push_back(place.cast<float>());
  }
  return made;
}

std::shared_ptr<const BodyParticles> RigidSystem::particles(double diameter_m) const {
  constexpr std::size_t kept = 4;
  const auto found = std::find_if(particles_.begin(), particles_.end(),
                                  [&](const auto& made) { return made->diameter_m() == diameter_m; });
  if (found != particles_.end()) return *found;
  if (particles_.size() == kept) particles_.erase(particles_.begin());
  particles_.push_back(std::make_shared<const BodyParticles>(bodies(), diameter_m));
  return particles_.back();
}

}  // namespace vw

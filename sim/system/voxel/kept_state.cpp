// Impulses and contact states are copied only if they are not zero.
#include "sim/system/voxel/kept_state.h"

#include <algorithm>

namespace vw {
namespace {

void keep_unless_zero(const std::vector<Vec3>& from, std::vector<Vec3>& to) {
  const bool zero = std::all_of(from.begin(), from.end(), [](const Vec3& v) { return v.isZero(0); });
  if (zero)
    to.clear();
  else
    to = from;
}

void give_back_or_zero(const std::vector<Vec3>& from, std::vector<Vec3>& to) {
  if (from.empty())
    std::fill(to.begin(), to.end(), Vec3::Zero());
  else
    to = from;
}

}  // namespace

void KeptState::keep(const BodyState& body, const KeepWhat& what) {
  const Elements& e = body.elements;
  what_ = what;
  if (what.motion) {
    rows_.position = e.position;
    rows_.velocity = e.velocity;
    rows_.orientation = e.orientation;
    rows_.angular_velocity = e.angular_velocity;
  }
  if (what.half_edges) rows_.radius = e.radius;
  keep_unless_zero(e.impulse, rows_.impulse);
  keep_unless_zero(e.angular_impulse, rows_.angular_impulse);
  contacts_.clear();
  for (std::size_t v = 0; v < body.contacts.size(); ++v)
    if (const ContactState& state = body.contacts[v]; state.held != 0 || state.touching != 0)
      contacts_.emplace_back(static_cast<std::uint32_t>(v), state);
  memory_ = body.memory;
  overbent_ = body.overbent;
  time_ = body.time;
}

void KeptState::give_back(const BodyState& body) const {
  Elements& e = body.elements;
  if (what_.motion) {
    e.position = rows_.position;
    e.velocity = rows_.velocity;
    e.orientation = rows_.orientation;
    e.angular_velocity = rows_.angular_velocity;
  }
  if (what_.half_edges) e.radius = rows_.radius;
  give_back_or_zero(rows_.impulse, e.impulse);
  give_back_or_zero(rows_.angular_impulse, e.angular_impulse);
  std::fill(body.contacts.begin(), body.contacts.end(), ContactState{});
  for (const auto& [voxel, state] : contacts_) body.contacts[voxel] = state;
  body.memory = memory_;
  body.overbent = overbent_;
  body.time = time_;
}

}  // namespace vw

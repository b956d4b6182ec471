#include "render/vectors/marks.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <glm/gtc/quaternion.hpp>

#include "render/scene/collider_drawing.h"
#include "render/vectors/vectors.h"

namespace vw {
namespace {

constexpr glm::vec3 hand{1.0F, 0.78F, 0.25F}, rope{0.90F, 0.82F, 0.66F}, rod{0.66F, 0.72F, 0.80F},
    pin{0.80F, 0.62F, 1.0F}, torn{0.85F, 0.30F, 0.24F};
constexpr glm::vec3 rim{0.05F, 0.05F, 0.05F};

glm::mat3 turn_of(const glm::vec4& q) { return glm::mat3_cast(glm::quat(q.w, q.x, q.y, q.z)); }

/// Returns the joint interpolated between the two snapshots of the frame.
JointMark shown_joint(const SystemSnapshot& system, const SystemSnapshot* before, std::size_t k, float blend) {
  JointMark joint = joints_of(system)[k];
  if (before == nullptr || k >= joints_of(*before).size() || joints_of(*before)[k].name != joint.name) return joint;
  const JointMark& old = joints_of(*before)[k];
  joint.a = old.a + blend * (joint.a - old.a);
  joint.b = old.b + blend * (joint.b - old.b);
  return joint;
}

/// Value of an actuator relative to its largest magnitude so far, from 0 to 1.
float strength_of(const SignalSnapshot& actuator) {
  return actuator.largest > 0 ? static_cast<float>(std::abs(actuator.value) / actuator.largest) : 0;
}

bool is_link(const JointMark& joint) { return joint.kind == "rope" || joint.kind == "distance"; }

}  // namespace

glm::vec3 actuator_color(const SignalSnapshot& actuator) {
  constexpr glm::vec3 rest{0.34F, 0.34F, 0.36F}, positive{1.0F, 0.70F, 0.20F}, negative{0.36F, 0.66F, 1.0F};
  if (!std::isfinite(actuator.value)) return rest;
  return glm::mix(rest, actuator.value < 0 ? negative : positive,
                  std::min(1.0F, 0.15F + 0.85F * strength_of(actuator)));
}

MarkGroup& Marks::start(const glm::vec3& tint, float half_width_px, float opacity, float hidden_opacity) {
  if (used_ == groups_.size()) groups_.emplace_back();
  MarkGroup& group = groups_[used_++];
  group.tint = tint;
  group.half_width_px = half_width_px;
  group.opacity = opacity;
  group.hidden_opacity = hidden_opacity;
  group.points.clear();
  return group;
}

void Marks::drop_if_empty() { used_ -= groups_[used_ - 1].points.empty() ? 1 : 0; }

void Marks::build(const Scene& scene) {
  used_ = 0;
  if (scene.view.trace) add_trails(scene);
  if (scene.view.joints != JointStyle::none) add_joints(scene);
  if (scene.view.contacts) add_contacts(scene);
  if (scene.view.actuators) add_driven(scene);
  if (scene.view.body_frames) add_frames(scene);
  if (scene.view.mass_centers) add_mass_centers(scene);
  add_outlines(scene);
  add_hand(scene);
}

/// Adds centre-of-mass paths. They are also visible inside and behind bodies, at reduced opacity.
void Marks::add_trails(const Scene& scene) {
  constexpr auto tints = std::to_array<glm::vec3>(
      {{1.0F, 0.62F, 0.18F}, {0.30F, 0.78F, 1.0F}, {0.62F, 0.92F, 0.40F}, {0.95F, 0.48F, 0.80F}});
  for (std::size_t i = 0; i < scene.trails.count(); ++i) {
    const auto& path = scene.trails.path(i);
    MarkGroup& group = start(tints[i % tints.size()], 1.3F, 0.95F, 0.45F);
    for (std::size_t k = 1; k < path.size(); ++k) group.points.push_back(path[k - 1]), group.points.push_back(path[k]);
    drop_if_empty();
  }
}

/// Adds joints. Ropes and distance joints are drawn as lines. Other joints are drawn as their two attachment points and
/// their free axis. The axis is as long as the mean radius of the bodies, within limits in pixels.
void Marks::add_joints(const Scene& scene) {
  const bool all = scene.view.joints == JointStyle::all;
  constexpr auto links = std::to_array<std::pair<std::string_view, float>>({{"rope", 1.5F}, {"distance", 2.2F}});
  for (std::size_t f = 0; f < scene.newest.systems.size(); ++f) {
    const SystemSnapshot& system = scene.newest.systems[f];
    if (joints_of(system).empty() || scene.figures[f].shape == FigureShape::hidden) continue;
    const SystemSnapshot* before =
        scene.previous != nullptr && f < scene.previous->systems.size() ? &scene.previous->systems[f] : nullptr;
    const auto each = [&](auto visit) {
      for (std::size_t k = 0; k < joints_of(system).size(); ++k) visit(shown_joint(system, before, k, scene.blend));
    };
    for (const auto& [kind, width] : links) {
      MarkGroup& lines = start(kind == "rope" ? rope : rod, width, 1, 0.35F);
      each([&, &wanted = kind](const JointMark& joint) {
        if (joint.kind == wanted && !joint.broken)
          lines.points.push_back(to_glm(joint.a)), lines.points.push_back(to_glm(joint.b));
      });
      drop_if_empty();
    }
    if (!all) continue;
    float mean = 0;
    for (const float size : system.size) mean += size / static_cast<float>(system.size.size());
    MarkGroup& axes = start(pin, 1.4F, 0.95F, 0.6F);
    each([&](const JointMark& joint) {
      if (joint.broken || is_link(joint)) return;
      const glm::vec3 a = to_glm(joint.a), b = to_glm(joint.b);
      axes.points.push_back(a), axes.points.push_back(b);
      const glm::vec3 axis = to_glm(joint.axis);
      if (!(glm::length(axis) > 0)) return;
      const float px = scene.pixel * glm::length(a - scene.eye), half = std::clamp(0.5F * mean, 14 * px, 60 * px);
      const glm::vec3 along = glm::normalize(axis);
      axes.points.push_back(a - half * along), axes.points.push_back(a + half * along);
      if (joint.kind == "hinge") add_circle(a, along, 0.35F * half, 20, axes.points);
    });
    drop_if_empty();
    for (const bool broken : {false, true}) {
      places_.clear();
      each([&](const JointMark& joint) {
        if (joint.broken == broken) places_.push_back(to_glm(joint.a)), places_.push_back(to_glm(joint.b));
      });
      add_dots(places_, 3, 1.5F, broken ? torn : pin);
    }
  }
}

/// Adds dots with a dark rim. No object hides these dots.
void Marks::add_dots(std::span<const glm::vec3> places, float half_width_px, float rim_px, const glm::vec3& tint) {
  if (places.empty()) return;
  for (const bool is_rim : {true, false}) {
    MarkGroup& dots =
        is_rim ? start(rim, half_width_px + rim_px, 0.7F, 0.7F) : start(tint, half_width_px, 0.95F, 0.95F);
    for (const glm::vec3& place : places) dots.points.push_back(place), dots.points.push_back(place);
  }
}

void Marks::add_contacts(const Scene& scene) {
  places_.clear();
  for (std::size_t f = 0; f < scene.newest.systems.size(); ++f) {
    if (scene.figures[f].shape == FigureShape::hidden) continue;
    for (const ContactMark& contact : contacts_of(scene.newest.systems[f]))
      places_.push_back(shown_place(contact, scene.newest.systems[f], scene.figures[f]));
  }
  add_dots(places_, 1.6F, 0.7F, contact_tint);
}

/// Adds a dot with a halo at each driven part. No object hides the dots.
void Marks::add_driven(const Scene& scene) {
  for (const SignalSnapshot& signal : scene.newest.signals) {
    if (signal.places.empty() || !std::isfinite(signal.value)) continue;
    places_.clear();
    for (const Vec3f& place : signal.places) places_.push_back(to_glm(place));
    const float strength = strength_of(signal);
    const glm::vec3 tint = actuator_color(signal);
    MarkGroup& halo = start(tint, 5 + 9 * strength, 0.08F + 0.32F * strength, 0.08F + 0.32F * strength);
    for (const glm::vec3& place : places_) halo.points.push_back(place), halo.points.push_back(place);
    add_dots(places_, 3.5F, 1.2F, tint);
  }
}

/// Adds body axes. They are slightly longer than the radius of the body, so that their ends are visible.
void Marks::add_frames(const Scene& scene) {
  constexpr auto tints = std::to_array<glm::vec3>({{0.95F, 0.30F, 0.28F}, {0.42F, 0.85F, 0.32F}, {0.35F, 0.58F, 1.0F}});
  for (int k = 0; k < 3; ++k) {
    MarkGroup& lines = start(tints[static_cast<std::size_t>(k)], 1.6F, 1, 0.7F);
    for (std::size_t f = 0; f < scene.newest.systems.size(); ++f) {
      const Figure& figure = scene.figures[f];
      if (figure.shape != FigureShape::bodies) continue;
      for (std::size_t i = 0; i < figure.places.size(); ++i) {
        const auto& mesh = meshes_of(scene.newest.systems[f])[i];
        if (mesh == nullptr || figure.places[i].w < 0) continue;
        const glm::vec3 middle(figure.places[i]);
        lines.points.push_back(middle);
        lines.points.push_back(middle + 1.1F * figure.places[i].w * (turn_of(figure.turns[i]) * axes_.of(mesh)[k]));
      }
    }
    drop_if_empty();
  }
}

void Marks::add_mass_centers(const Scene& scene) {
  places_.clear();
  for (std::size_t f = 0; f < scene.newest.systems.size(); ++f) {
    const SystemSnapshot& system = scene.newest.systems[f];
    const Figure& figure = scene.figures[f];
    if (figure.shape == FigureShape::hidden) continue;
    if (figure.shape == FigureShape::bodies)
      for (const glm::vec4& place : figure.places) places_.emplace_back(place);
    if (system.look_kind() == LookKind::voxels && system.center_of_mass.allFinite())
      places_.push_back(to_glm(Vec3f(system.center_of_mass.cast<float>())));
  }
  add_dots(places_, 3, 1.2F, glm::vec3(0.96F));
}

/// Adds the outlines of the selected bodies, elements and colliders.
void Marks::add_outlines(const Scene& scene) {
  MarkGroup& lines = start(hand, 1.5F, 1, 0.3F);
  add_outline(scene, scene.selection, lines);
  for (const Selection& other : scene.selection.others) add_outline(scene, other, lines);
  drop_if_empty();
}

void Marks::add_outline(const Scene& scene, const Selection& selection, MarkGroup& lines) {
  for (std::size_t f = 0; f < scene.newest.systems.size() && selection.element >= 0; ++f) {
    const SystemSnapshot& system = scene.newest.systems[f];
    if (system.name != selection.system) continue;
    const auto row = static_cast<std::size_t>(selection.element);
    const auto meshes = meshes_of(system);
    outline_.add_element(scene.figures[f], row, row < meshes.size() ? meshes[row] : nullptr, scene.eye, lines.points);
  }
  for (const ColliderSnapshot& collider : scene.newest.colliders)
    if (!selection.obstacle.empty() && collider.name == selection.obstacle && is_shown(collider, scene.view))
      outline_.add_collider(collider, scene.eye, lines.points);
}

/// Adds the mouse spring, and a dot for a selected particle of a fluid that is drawn as a surface.
void Marks::add_hand(const Scene& scene) {
  if (const glm::vec4* place = selected_in_surface(scene.figures, scene.count, scene.selection)) {
    const glm::vec3 at(*place);
    add_dots({&at, 1}, 4.5F, 2, hand);
  }
  const GrabSnapshot& grab = scene.newest.grab;
  if (!grab.active) return;
  const glm::vec3 a = to_glm(grab.anchor), b = to_glm(grab.target);
  start(hand, 2, 0.95F, 0.95F).points = {a, b};
  start(hand, 5, 0.95F, 0.95F).points = {a, a, b, b};
}

}  // namespace vw

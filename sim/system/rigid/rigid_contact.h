// Rigid bodies against obstacles and each other, within a substep: who touches, the impulses that keep them apart (sequential impulses, Catto 2005,
// with the friction cone of sim/collision/contact), and what is left of depth pushed apart without making velocity of it.
#pragma once

#include <span>
#include <vector>

#include "sim/system/rigid/feelers.h"
#include "sim/system/rigid/rigid_scene.h"

namespace vw {

class RigidContacts {
 public:
  /// Feelers of bodies, once.
  void prepare(std::span<const RigidBody> bodies);
  void find(const RigidScene& scene);
  /// Changes velocities so that no_body goes into anything in this substep.
  void give_impulses(const RigidScene& scene);
  /// After the bodies have moved: takes them out of what they are in by a share of the depth.
  void push_apart(const RigidScene& scene);

  [[nodiscard]] std::size_t count() const { return contacts_.size(); }
  /// Contacts that press, of each body.
  void count_touches(std::span<std::uint32_t> out) const;

 private:
  /// `a` is pressed along `normal`, the other side against it.
  struct Contact {
    std::size_t a = 0, b = no_body;  ///< b: no_body for an obstacle
    Vec3 point = Vec3::Zero();
    Vec3 normal{0, 1, 0};
    double gap = 0;                        ///< [m], negative: depth
    Vec3 surface_velocity = Vec3::Zero();  ///< of an obstacle
    SurfaceMaterial pair;
    double bounce_mps = 0;  ///< that it leaves with
    double normal_impulse = 0;
    Vec3 friction_impulse = Vec3::Zero();
    double left_gap = 0;  ///< after the move
  };
  /// What answers to impulses: inverse masses and inertias.
  struct Answer {
    double inverse_mass = 0;
    Mat3 inverse_inertia = Mat3::Zero();
  };

  void meet_collider(const RigidScene& scene, std::size_t body, const Collider& collider);
  void meet_body(const RigidScene& scene, std::size_t a, std::size_t b);
  void keep_few(double apart);
  void begin(const RigidScene& scene);
  [[nodiscard]] double margin_of(const RigidScene& scene, std::size_t body) const;
  [[nodiscard]] Vec3 relative(const Contact& contact, std::span<const Vec3> velocity, std::span<const Vec3> spin, const Elements& rows) const;
  [[nodiscard]] double mass_along(const Contact& contact, const Vec3& direction, const Elements& rows) const;
  void push(const Contact& contact, const Vec3& impulse, const Elements& rows, std::span<Vec3> velocity, std::span<Vec3> spin) const;
  /// By how much each changed the velocities there [m/s].
  [[nodiscard]] double press(Contact& contact, const RigidScene& scene) const;
  [[nodiscard]] double rub(Contact& contact, const RigidScene& scene) const;

  std::vector<Feeler> feelers_;
  std::vector<std::size_t> first_feeler_;  ///< of each body, and the end
  std::vector<Answer> answers_;
  std::vector<Contact> contacts_;
  std::vector<Contact> met_;   // scratch: all places where two meet
  std::vector<Feeler> other_;  // scratch
  std::vector<std::uint8_t> used_;
  std::vector<Vec3> shift_, turn_;
};

}  // namespace vw

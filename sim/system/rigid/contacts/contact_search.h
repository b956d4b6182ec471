// Finds the contacts of a substep, sorted by their bodies. The result does not depend on the number of threads.
#pragma once

#include <span>
#include <vector>

#include "sim/system/rigid/contacts/body_pairs.h"
#include "sim/system/rigid/contacts/contact_memory.h"
#include "sim/system/rigid/contacts/touch.h"
#include "sim/system/rigid/joints/joints.h"

namespace vw {

class ContactSearch {
 public:
  /// Creates the feelers (sample points of the surfaces, feelers.h) and the size classes of the bodies (body_pairs.h).
  /// Call once.
  void prepare(std::span<const RigidBody> bodies);
  /// Writes the contacts of awake bodies with obstacles and other bodies into `out`, each with the impulse of the last
  /// substep as its initial value.
  void find(const RigidScene& scene, const ContactMemory& memory, const RigidJoints& joints,
            std::vector<RigidContact>& out);

 private:
  /// Buffers and results for one range of bodies, which one thread handles.
  struct Part {
    std::vector<std::uint32_t> partners;
    std::vector<Touch> touches;
    TouchScratch scratch;
    std::vector<RigidContact> found;
  };
  void take_obstacles(const RigidScene& scene);
  void meet_bodies(const RigidScene& scene, const ContactMemory& memory, const RigidJoints& joints, std::size_t body,
                   Part& part) const;
  void meet_obstacles(const RigidScene& scene, const ContactMemory& memory, std::size_t body, Part& part) const;
  [[nodiscard]] Party party(const RigidScene& scene, std::size_t body) const;

  BodyPairs pairs_;
  std::vector<Feeler> feelers_;
  std::vector<Edge> edges_;
  std::vector<std::uint32_t> shape_of_;  ///< Shape index of each body. Copies of a body share one shape.
  /// For each shape: index of its first feeler, index of its first edge, and the number of its feelers that suffice for
  /// contact with a plane.
  std::vector<std::size_t> first_feeler_, first_edge_, corners_;
  std::vector<Party> obstacles_;
  std::vector<Feeler> obstacle_feelers_;
  std::vector<Edge> obstacle_edges_;
  std::vector<Part> parts_;
};

}  // namespace vw

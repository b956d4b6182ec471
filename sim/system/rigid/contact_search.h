// The contacts of a substep, sorted by who is in them; the same bits at any number of threads.
#pragma once

#include <span>
#include <vector>

#include "sim/system/rigid/body_pairs.h"
#include "sim/system/rigid/contact_memory.h"
#include "sim/system/rigid/joints.h"
#include "sim/system/rigid/touch.h"

namespace vw {

class ContactSearch {
 public:
  /// Feelers and classes of sizes, once.
  void prepare(std::span<const RigidBody> bodies);
  /// Contacts of bodies that are awake with obstacles and anybody, in `out`, each beginning with what it bore.
  void find(const RigidScene& scene, const ContactMemory& memory, const RigidJoints& joints, std::vector<RigidContact>& out);

 private:
  /// What the thread that looks after some bodies needs and finds.
  struct Part {
    std::vector<std::uint32_t> partners;
    std::vector<Touch> touches;
    TouchScratch scratch;
    std::vector<RigidContact> found;
  };
  void take_obstacles(const RigidScene& scene);
  void meet_bodies(const RigidScene& scene, const ContactMemory& memory, const RigidJoints& joints, std::size_t body, Part& part) const;
  void meet_obstacles(const RigidScene& scene, const ContactMemory& memory, std::size_t body, Part& part) const;
  [[nodiscard]] Party party(const RigidScene& scene, std::size_t body) const;

  BodyPairs pairs_;
  std::vector<Feeler> feelers_;
  std::vector<Edge> edges_;
  std::vector<std::uint32_t> shape_of_;                           ///< of each body: copies share one
  std::vector<std::size_t> first_feeler_, first_edge_, corners_;  ///< of each shape, and the end
  std::vector<Party> obstacles_;
  std::vector<Feeler> obstacle_feelers_;
  std::vector<Edge> obstacle_edges_;
  std::vector<Part> parts_;
};

}  // namespace vw

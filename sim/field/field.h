// Fields of the world: what fills space without being made of particles. Today wind; a field answers with a velocity at a place and time.
// Fields add up. They are pure functions of (x, t) and their parameters: no state, safe from any thread.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/base/node.h"

namespace vw {

class Field {
 public:
  virtual ~Field() = default;
  /// Adds this field's air velocity [m/s] at each position [m] and time [s] to `velocity` (same length).
  virtual void add_velocity(std::span<const Vec3> position, double time, std::span<Vec3> velocity) const = 0;
};

/// A row of the explicit table of field kinds.
struct FieldKind {
  const Schema* schema;
  Result<std::unique_ptr<Field>> (*create)(const Node& self, std::uint64_t world_seed);
};
/// All kinds, ordered by name.
[[nodiscard]] std::span<const FieldKind> field_kinds();

/// The sum of a world's fields, in the order of their names.
class FieldSet {
 public:
  void add(std::string name, std::unique_ptr<Field> field);
  [[nodiscard]] bool empty() const { return fields_.empty(); }
  /// Air velocity [m/s], overwritten; parallel over fixed chunks.
  void velocity(std::span<const Vec3> position, double time, std::span<Vec3> out) const;

 private:
  std::vector<std::pair<std::string, std::unique_ptr<Field>>> fields_;
};

}  // namespace vw

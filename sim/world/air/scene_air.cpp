#include "sim/world/air/scene_air.h"

#include <limits>

#include "sim/world/parts.h"

namespace vw {
namespace {

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

FieldQuantity asked_of_fields(Quantity quantity) {
  if (quantity == Quantity::air_pressure) return FieldQuantity::pressure;
  if (quantity == Quantity::air_value) return FieldQuantity::value;
  return quantity >= Quantity::air_vorticity ? FieldQuantity::vorticity : FieldQuantity::velocity;
}

double part_of(const Vec3& vector, Quantity quantity) {
  switch (quantity) {
    case Quantity::air_velocity_x:
    case Quantity::air_vorticity_x: return vector.x();
    case Quantity::air_velocity_y:
    case Quantity::air_vorticity_y: return vector.y();
    case Quantity::air_velocity_z:
    case Quantity::air_vorticity_z: return vector.z();
    default: return vector.norm();
  }
}

class SceneAirGauge final : public AirGauge {
 public:
  explicit SceneAirGauge(const Node& scene) : scene_(scene) {
    std::erase_if(scene_.children, [&](const Node& child) {
      const std::string& slot = scene_.schema->slots[child.slot].name;
      return slot != "world" && slot != "field" && slot != "collider";
    });
  }

  [[nodiscard]] double read(Quantity quantity, const std::string& field, const Vec3& place, double time_s) override {
    if (!air_ && !failed_) {
      auto air = open_air(scene_);
      failed_ = !air;
      if (air) air_ = std::move(*air);
    }
    const FieldQuantity of = asked_of_fields(quantity);
    const bool moves = of == FieldQuantity::velocity || of == FieldQuantity::vorticity;
    if (failed_ || !((moves && field.empty()) || air_->fields.has(of, field))) return no_value;
    const std::span<const Vec3> places(&place, 1);
    if (!moves) {
      double number = 0;
      air_->fields.sample(of, field, places, time_s, {&number, 1});
      return number;
    }
    Vec3 vector;
    air_->fields.sample(of, field, places, time_s, {&vector, 1});
    return part_of(vector, quantity);
  }

  [[nodiscard]] bool is_like(const AirGauge& other) const override {
    const auto* gauge = dynamic_cast<const SceneAirGauge*>(&other);
    return gauge != nullptr && same_node(scene_, gauge->scene_);
  }

 private:
  Node scene_;  ///< the parts of the scene that determine its air
  std::unique_ptr<SceneAir> air_;
  bool failed_ = false;
};

}  // namespace

Result<std::unique_ptr<SceneAir>> open_air(const Node& scene) {
  Node still = scene;
  std::vector<std::string> names;
  for (const Node* collider : still.all("collider")) names.push_back(collider->name);
  for (const std::string& name : names)
    if (auto good = set_parameter(still, "collider." + name + ".carried_by", std::string()); !good)
      return Unexpected(good.error());
  auto air = std::make_unique<SceneAir>();
  auto colliders = ColliderSet::build(still);
  if (!colliders) return Unexpected(colliders.error());
  air->colliders = std::move(*colliders);
  auto fields = build_fields(scene);
  if (!fields) return Unexpected(fields.error());
  air->fields = std::move(*fields);
  air->fields.set_obstacles(&air->obstacles);
  return air;
}

std::shared_ptr<AirGauge> make_air_gauge(const Node& scene) { return std::make_shared<SceneAirGauge>(scene); }

}  // namespace vw

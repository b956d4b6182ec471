#include "sim/api/analysis/fields.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/plot/plot.h"
#include "sim/world/air/air_reading.h"
#include "sim/world/air/field_visualizer.h"
#include "sim/world/air/flow_lines.h"
#include "sim/world/parts.h"
#include "sim/world/step/field_obstacles.h"

namespace vw::api {
namespace {

/// A scene's fields and obstacles, without its systems. Fields refer to the obstacles, so an object must not be moved.
struct SceneAir {
  ColliderSet colliders;
  FieldObstacles obstacles{colliders};
  FieldSet fields;
};

Result<std::unique_ptr<SceneAir>> build_air(const Node& scene) {
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
      auto air = build_air(scene_);
      failed_ = !air;
      if (air) air_ = std::move(*air);
    }
    return failed_ ? no_value : read_air(air_->fields, quantity, field, place, time_s);
  }

  [[nodiscard]] bool is_like(const AirGauge& other) const override {
    const auto* gauge = dynamic_cast<const SceneAirGauge*>(&other);
    return gauge != nullptr && same_node(scene_, gauge->scene_);
  }

 private:
  Node scene_;  ///< the parts of the scene that determine its fields and obstacles
  std::unique_ptr<SceneAir> air_;
  bool failed_ = false;
};

std::string region_text(const FieldParams& where) {
  switch (where.region) {
    case FieldExtent::everywhere: return "everywhere";
    case FieldExtent::box: return "box";
    case FieldExtent::sphere: return "sphere";
    case FieldExtent::cylinder: return "cylinder";
  }
  return {};
}

}  // namespace

struct Fields::Impl {
  std::unique_ptr<SceneAir> air;
  AirSampler sampler;
  const FieldSet& fields = air->fields;
};

Fields::Fields(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Fields::~Fields() = default;
Fields::Fields(Fields&& other) noexcept = default;
Fields& Fields::operator=(Fields&& other) noexcept = default;

Result<Fields> Fields::open(const Node& scene) {
  auto air = build_air(scene);
  if (!air) return Unexpected(air.error());
  return Fields(std::unique_ptr<Impl>(new Impl{.air = std::move(*air), .sampler = {}}));
}

std::vector<std::string> Fields::names() const { return impl_->fields.names(); }

FieldInfo Fields::info(const std::string& name) const {
  const Field& field = *impl_->fields.find(name);
  const auto spectrum = field.asked_spectrum();
  return {.region = field.where().enabled ? region_text(field.where()) : "off",
          .is_scalar = field.has_value(),
          .has_pressure = field.has_pressure(),
          .length_m = field.length_m(),
          .period_m = spectrum ? spectrum->period_m : 0};
}

bool Fields::provides(const AirQuantity& quantity, const std::string& name) const {
  return impl_->fields.has(quantity.of, name);
}

Eigen::AlignedBox3d Fields::extent() const { return extent_of(impl_->fields); }

void Fields::sample(const std::string& name, const AirQuantity& quantity, double time_s, std::size_t count,
                    const std::function<Vec3(std::size_t)>& position, std::span<float> out) {
  impl_->sampler.sample(impl_->fields, name, quantity, time_s, count, position, out);
}

FieldStatistics Fields::statistics(const std::string& name, const Eigen::AlignedBox3d& box, double time_s) const {
  constexpr std::size_t places = field_statistics_points;
  const FieldSet& fields = impl_->fields;
  FieldStatistics found;
  std::vector<Vec3> place(places);
  for (std::size_t i = 0; i < places; ++i) place[i] = even_place(box, i);
  if (fields.find(name)->has_value()) {
    std::vector<double> value(places);
    fields.sample(FieldQuantity::value, name, place, time_s, value);
    for (const double v : value) found.rms += v * v / places, found.peak = std::max(found.peak, std::abs(v));
    found.rms = std::sqrt(found.rms);
    return found;
  }
  std::vector<Vec3> u(places), ahead(places), behind(places);
  fields.sample(FieldQuantity::velocity, name, place, time_s, u);
  for (const Vec3& v : u) found.rms += v.squaredNorm() / places, found.peak = std::max(found.peak, v.norm());
  found.rms = std::sqrt(found.rms);
  const double length = fields.find(name)->length_m();
  const double h = 0.01 * (std::isfinite(length) ? length : box.sizes().maxCoeff());
  std::vector<double> divergence(places, 0);
  double gradient = 0, sum = 0;
  for (int axis = 0; axis < 3; ++axis) {
    for (Vec3& at : place) at[axis] += h;
    fields.sample(FieldQuantity::velocity, name, place, time_s, ahead);
    for (Vec3& at : place) at[axis] -= 2 * h;
    fields.sample(FieldQuantity::velocity, name, place, time_s, behind);
    for (Vec3& at : place) at[axis] += h;
    for (std::size_t i = 0; i < places; ++i) {
      const Vec3 slope = (ahead[i] - behind[i]) / (2 * h);
      divergence[i] += slope[axis];
      gradient += slope.squaredNorm();
    }
  }
  for (const double d : divergence) sum += d * d;
  // If the gradient is so small that it may consist of rounding errors, the field counts as uniform.
  if (gradient * h * h > 1e-20 * found.rms * found.rms * places) found.divergence = std::sqrt(sum / gradient);
  return found;
}

std::shared_ptr<AirGauge> make_air_gauge(const Node& scene) { return std::make_shared<SceneAirGauge>(scene); }

}  // namespace vw::api

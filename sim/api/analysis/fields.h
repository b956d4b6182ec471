// Samples the fields of a scene (winds, noises) without a world, for export and for the air quantities of plots. This
// file is part of the library's stable interface. Carried colliders stay in the poses that the scene declares.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/base/data/node.h"
#include "sim/plot/plot_set.h"
#include "sim/world/air/air_quantity.h"

namespace vw::api {

struct FieldInfo {
  std::string region;         ///< "everywhere", "box", "sphere" or "cylinder"; "off" for a field that is switched off
  bool is_scalar = false;     ///< whether the field has a scalar value instead of a velocity
  bool has_pressure = false;  ///< whether the field provides the pressure of the air
  double length_m = 0;        ///< length over which the field varies considerably [m]; infinite if it is uniform
  double period_m = 0;        ///< period in space [m]; 0 if the field is not periodic
};

/// Statistics of a field over evenly distributed points in a box, in m/s or, for a scalar field, in the unit of its
/// value.
struct FieldStatistics {
  double rms = 0, peak = 0;
  double divergence = 0;  ///< rms of the divergence divided by the rms of the velocity gradient; 0 for a scalar field
};
inline constexpr std::size_t field_statistics_points = 4096;

/// Samples the fields of one scene. An object may be used by only one thread at a time. The name of a field must be one
/// of names(). Except in info() and statistics(), it may also be empty, which means the sum of all fields.
class Fields {
 public:
  /// Builds the fields and obstacles of a scene. This may take long (sim/base/generation_progress.h).
  [[nodiscard]] static Result<Fields> open(const Node& scene);
  ~Fields();
  Fields(Fields&& other) noexcept;
  Fields& operator=(Fields&& other) noexcept;

  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] FieldInfo info(const std::string& name) const;
  /// Returns whether the field has the quantity. If `name` is empty, returns whether any field has it.
  [[nodiscard]] bool provides(const AirQuantity& quantity, const std::string& name) const;
  /// Returns the box to show [m]: the union of the fields' regions. If no field has a region, returns a cube whose side
  /// is one period or ten characteristic lengths.
  [[nodiscard]] Eigen::AlignedBox3d extent() const;
  /// Writes the values at `count` positions to `out`, in the quantity's unit: one number per position if
  /// quantity.is_number(), else three. `position(i)` returns position i [m]. The memory use does not grow with `count`.
  void sample(const std::string& name, const AirQuantity& quantity, double time_s, std::size_t count,
              const std::function<Vec3(std::size_t)>& position, std::span<float> out);
  /// Computes statistics of the field `name`, which must not be empty, at field_statistics_points points in the box.
  [[nodiscard]] FieldStatistics statistics(const std::string& name, const Eigen::AlignedBox3d& box,
                                           double time_s) const;

 private:
  struct Impl;
  explicit Fields(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Returns an air gauge for the plots of a scene (PlotSet::set_air). The first query builds the fields, on the thread
/// of the query.
[[nodiscard]] std::shared_ptr<AirGauge> make_air_gauge(const Node& scene);

}  // namespace vw::api

// The plots of a scene, ready to measure: names resolved, formulas read. Flows in: the scene once, then a snapshot after every step; flows out: a
// row of numbers. Used by one thread at a time; measuring allocates nothing once every buffer has its size.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <vector>

#include "sim/plot/formula.h"
#include "sim/plot/measure.h"
#include "sim/plot/plot.h"
#include "sim/snapshot/wanted.h"

namespace vw {

/// One number of a row: a curve over time, or a curve's point of one system.
struct PlotColumn {
  std::size_t curve = 0;  ///< index into its plot's curves
  std::string system;     ///< empty for analytic curves
  double x = 0;           ///< plots over a parameter: where the point stands
};

struct PlotCurve {
  std::string name;
  CurveNode node;
};

/// What a plot is made of, without the means to measure: both threads may hold one.
struct PlotPlan {
  std::string name;
  PlotParams params;
  bool over_time = true;
  std::string x_unit;
  std::vector<PlotCurve> curves;
  std::vector<PlotColumn> columns;
  std::size_t first_column = 0;  ///< in the row of all plots
  /// A plot over time that has come to its end takes nothing more.
  [[nodiscard]] bool is_over(const Snapshot& snapshot) const {
    return over_time && params.until_s > 0 && snapshot.time_s > params.until_s + 0.5 * snapshot.dt_s;
  }
};

class ShapeStore;

/// What plots ask of a scene's air. Implemented where fields, and what stands in them, are known (sim/world/scene_air.h).
class AirGauge {
 public:
  virtual ~AirGauge() = default;
  /// One of the air's quantities at a place [m] and time [s], of the field of that name or, if it is empty, of all; NaN where no such field has it.
  [[nodiscard]] virtual double read(Quantity quantity, const std::string& field, const Vec3& place, double time_s) = 0;
  /// Whether another gauge is of the same air.
  [[nodiscard]] virtual bool is_like(const AirGauge& other) const = 0;
};

/// What is wrong with a scene's plots, as far as its nodes say: names, formulas, systems. Reads no file.
[[nodiscard]] Result<void> check_plots(const Node& scene);

class PlotSet {
 public:
  /// All plots of a scene. The error names the key; it is what a scene's file is refused with. Shapes of files come from `shapes`, or go there;
  /// `more` are nodes of plots beside those of the scene.
  [[nodiscard]] static Result<PlotSet> compile(const Node& scene, ShapeStore& shapes, std::span<const Node> more = {});
  [[nodiscard]] static Result<PlotSet> compile(const Node& scene);
  PlotSet(PlotSet&&) noexcept;
  PlotSet& operator=(PlotSet&&) noexcept;
  ~PlotSet();

  [[nodiscard]] const std::vector<PlotPlan>& plans() const;
  [[nodiscard]] std::size_t column_count() const;
  /// Channels, vectors and forces of rules that the world must be asked for.
  [[nodiscard]] const Wanted& wanted() const;

  /// Whether a curve is of the air: then, without a gauge, it has no value.
  [[nodiscard]] bool wants_air() const;
  void set_air(std::shared_ptr<AirGauge> air);

  /// Channels, totals, vectors and joints that curves name and their systems do not have: what only a running world knows. The first as an error.
  [[nodiscard]] Result<void> check_names(const Snapshot& snapshot) const;

  /// Measures everything: one value a column, NaN where there is none. A snapshot of another epoch, or of an earlier time, begins anew.
  void measure(const Snapshot& snapshot, std::vector<double>& row);

  /// Goes on where another set of plots of this world stands: where elements were at first and, of columns that measure the same, values whose time
  /// has come.
  void go_on_from(const PlotSet& before);

  /// Value of an analytic curve at any time or, in a plot over a parameter, at any value of it; in one of a kept moment never later than that.
  [[nodiscard]] double analytic(std::size_t plot, std::size_t curve, double time_s, double x);

 private:
  struct Impl;
  explicit PlotSet(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace vw

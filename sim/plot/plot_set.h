// The plots of a scene, with resolved names and parsed formulas. A PlotSet is created from the scene once. After every
// step, it computes a row of numbers from a snapshot. A PlotSet may be used by only one thread at a time. Once all
// buffers have reached their final size, measurements allocate no memory.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/data/state.h"
#include "sim/plot/formula.h"
#include "sim/plot/measure.h"
#include "sim/plot/plot.h"
#include "sim/snapshot/snapshot_request.h"

namespace vw {

/// One column of the row that measure() computes. In a plot over time, a column is one curve. In a plot over a
/// parameter, a column is the point of one curve for one system.
struct PlotColumn {
  std::size_t curve = 0;  ///< index into PlotPlan::curves
  std::string system;     ///< name of the measured system; empty for analytic curves
  double x = 0;           ///< plots over a parameter: abscissa of the point
};

struct PlotCurve {
  std::string name;
  CurveNode node;
};

/// Description of a plot's curves and columns, without the data needed to measure. The simulation thread and the
/// drawing thread may have separate copies.
struct PlotPlan {
  std::string name;
  PlotParams params;
  bool over_time = true;
  std::string x_unit;
  std::vector<PlotCurve> curves;
  std::vector<PlotColumn> columns;
  std::size_t first_column = 0;  ///< index of the plot's first column in the row of all plots
  /// Returns whether the end time of a plot over time has passed. No values are recorded after it.
  [[nodiscard]] bool is_over(const Snapshot& snapshot) const {
    return over_time && params.until_s > 0 && snapshot.time_s > params.until_s + 0.5 * snapshot.dt_s;
  }
};

class ShapeStore;
/// Returns a store without shapes, for PlotSet::compile().
[[nodiscard]] std::shared_ptr<ShapeStore> make_shape_store();

/// Source of the air quantities of plots. sim/api/analysis/fields.h implements this interface, because plots have no
/// access to fields or obstacles.
class AirGauge {
 public:
  virtual ~AirGauge() = default;
  /// Returns the value of a quantity of the air at a position [m] and time [s]. `field` is the name of the field; if it
  /// is empty, the sum of all fields is measured. The result is NaN if no such field provides the quantity.
  [[nodiscard]] virtual double read(Quantity quantity, const std::string& field, const Vec3& place, double time_s) = 0;
  /// Returns whether `other` measures the air of an equal scene.
  [[nodiscard]] virtual bool is_like(const AirGauge& other) const = 0;
};

/// Checks a scene's plots without building a world: names, formulas, systems. The check reads no files. `more` contains
/// additional plot nodes that are not in the scene.
[[nodiscard]] Result<void> check_plots(const Node& scene, std::span<const Node> more = {});

/// Returns the present name of the part of the scene that had the name `former_name`. `slot` is "system", "collider",
/// "field", "joint", "interaction", "sensor", "actuator", "plot" or "curve". The names of joints and curves contain the
/// name of their parent: "SYSTEM.JOINT", "PLOT.CURVE".
using PresentName = std::function<std::string(std::string_view slot, const std::string& former_name)>;

class PlotSet {
 public:
  /// Compiles all plots of a scene. An error names the key; the scene must then be rejected. Shapes loaded from files
  /// are taken from `shapes` or added to it. `more` contains additional plot nodes that are not in the scene.
  [[nodiscard]] static Result<PlotSet> compile(const Node& scene, ShapeStore& shapes, std::span<const Node> more = {});
  [[nodiscard]] static Result<PlotSet> compile(const Node& scene);
  PlotSet(PlotSet&&) noexcept;
  PlotSet& operator=(PlotSet&&) noexcept;
  ~PlotSet();

  [[nodiscard]] const std::vector<PlotPlan>& plans() const;
  [[nodiscard]] std::size_t column_count() const;
  /// Returns the channels, vectors and forces of rules that the snapshots of the world must contain.
  [[nodiscard]] const SnapshotRequest& wanted() const;

  /// Returns whether a curve measures the air. Such curves have no value until set_air() has been called.
  [[nodiscard]] bool wants_air() const;
  void set_air(std::shared_ptr<AirGauge> air);
  /// Takes over gravity and the step length from `scene`, the compiled scene with edited values.
  void take_world(const Node& scene);
  /// Takes over the collider with this name from `scene`. Shapes loaded from files are taken from `shapes` or added to
  /// it.
  void take_collider(const Node& scene, const std::string& collider, ShapeStore& shapes);

  /// Checks that the systems of a running world have the channels, totals, vectors and joints that curves name. Returns
  /// an error for the first missing name.
  [[nodiscard]] Result<void> check_names(const Snapshot& snapshot) const;

  /// Measures all plots and stores one value for each column in `row`, or NaN if there is no value. The first snapshot
  /// of a run (Snapshot::run) starts the measurement.
  void measure(const Snapshot& snapshot, std::vector<double>& row);

  /// Continues the measurements of `before`, another set of plots of the same world. Takes over the initial positions
  /// and velocities of elements. Also takes over the measured values of columns that measure the same quantity. If
  /// measured parts were renamed since, `present_name` is needed to find them.
  void go_on_from(const PlotSet& before, const PresentName& present_name = {});

  /// Visits the initial positions and velocities of elements and the time of the last measurement. A set that has read
  /// them continues like the set that wrote them. The exception is a plot over a parameter with a measuring time,
  /// because its measured values are not visited.
  void visit_state(StateVisitor& visit);

  /// Returns the value of an analytic curve at any time or, in a plot over a parameter, at any value x of the
  /// parameter. In a plot over a parameter, the time is limited to the measuring time `at`.
  [[nodiscard]] double analytic(std::size_t plot, std::size_t curve, double time_s, double x);

 private:
  struct Impl;
  explicit PlotSet(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace vw

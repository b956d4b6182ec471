// Compiles the plot nodes of a scene into plots that can be measured: resolves names and parses formulas. Each error is
// described in one sentence.
#pragma once

#include <optional>
#include <span>

#include "sim/plot/plot_set.h"

namespace vw {

/// Indices of the predefined names in CompiledPlot::values. The values of the names that the plot defines (`let`) begin
/// at first_let_name.
inline constexpr std::size_t name_t = 0, name_g = 1, name_dt = 2, name_pi = 3, name_nan = 4, name_parameter = 5,
                             name_x = 6, name_v = 9, name_x0 = 12, name_v0 = 15, name_radius = 18, name_gap = 19,
                             first_let_name = 20;

/// A name that a plot defines (`let`): a formula or, if `formula` is empty, the constant `value` of a scene parameter.
struct CompiledLet {
  std::optional<Formula> formula;
  double value = 0;
};

struct CompiledCurve {
  CurveKind kind = CurveKind::measured;
  CurveParams params;
  std::optional<Formula> expression, formula;
  int collider = -1;     ///< index into CompiledScene::colliders, or -1
  bool by_rule = false;  ///< whether the measured vector is a rule's force
};

struct CompiledPlot {
  std::vector<CompiledLet> lets;
  std::vector<CompiledCurve> curves;
  std::vector<double> values;  ///< values of all names during the evaluation of a formula
  std::vector<double> scratch;
};

struct CompiledScene {
  std::vector<PlotPlan> plans;
  std::vector<CompiledPlot> plots;  ///< parallel to plans
  std::vector<Collider> colliders;  ///< colliders to which gaps are measured, in the poses that the scene declares
  std::vector<Collider> placed;     ///< copies of `colliders` in the poses of the current snapshot
  SnapshotRequest wanted;           ///< data of systems and rules to request in snapshots
  bool wants_air = false;           ///< whether at least one curve measures the air
  std::size_t column_count = 0;
  std::size_t let_count = 0;  ///< number of definitions of all plots
  Vec3 gravity{0, -9.81, 0};
  double dt_s = 0;
};

/// Compiles all plots of a scene. `more` contains additional plot nodes that are not in the scene. If `shapes` is null,
/// no files are read; the result then only shows whether the plots are valid and must not be used to measure.
[[nodiscard]] Result<CompiledScene> compile_plots(const Node& scene, ShapeStore* shapes,
                                                  std::span<const Node> more = {});

}  // namespace vw

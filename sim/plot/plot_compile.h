// From the nodes of a scene to plots that can be measured: who is meant by each name, what each formula says. Every mistake is a sentence.
#pragma once

#include <optional>
#include <span>

#include "sim/plot/plot_set.h"

namespace vw {

/// Where the values of names stand that formulas know; a plot's own names follow.
inline constexpr std::size_t name_t = 0, name_g = 1, name_dt = 2, name_pi = 3, name_nan = 4, name_parameter = 5, name_x = 6, name_v = 9, name_x0 = 12,
                             name_v0 = 15, name_radius = 18, name_gap = 19, first_let_name = 20;

/// `name = formula`, or a number of the scene.
struct CompiledLet {
  std::optional<Formula> formula;
  double value = 0;
};

struct CompiledCurve {
  CurveKind kind = CurveKind::measured;
  CurveParams params;
  std::optional<Formula> expression, formula;
  int collider = -1;     ///< index into CompiledScene::colliders
  bool by_rule = false;  ///< the vector is a rule's force
};

struct CompiledPlot {
  std::vector<CompiledLet> lets;
  std::vector<CompiledCurve> curves;
  std::vector<double> values;  ///< of all names, while a formula is computed
  std::vector<double> scratch;
};

struct CompiledScene {
  std::vector<PlotPlan> plans;
  std::vector<CompiledPlot> plots;  ///< parallel to plans
  std::vector<Collider> colliders;  ///< those to which a gap is measured, where the scene puts them
  std::vector<Collider> placed;     ///< the same where the snapshot shows them that is measured
  Wanted wanted;                    ///< of systems and rules
  bool wants_air = false;           ///< some curve is of the air
  std::size_t column_count = 0;
  Vec3 gravity{0, -9.81, 0};
  double dt_s = 0;
};

/// `more` are nodes of plots beside those of the scene. Without `shapes` nothing is read from files: the result can be checked, not measured.
[[nodiscard]] Result<CompiledScene> compile_plots(const Node& scene, ShapeStore* shapes, std::span<const Node> more = {});

}  // namespace vw

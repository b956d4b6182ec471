// Scenes with plots for tests. They are read from text or from the package, run without a window, and measured each
// step.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "sim/plot/plot_set.h"
#include "sim/scene/scene.h"
#include "sim/world/registry.h"
#include "sim/world/world.h"
#include "tests/support/packaged.h"

namespace vw::plot_test {

/// Returns the text of a scene with two balls above a floor, followed by the text of the plots.
inline std::string two_balls(const std::string& plots) {
  return R"(
format = 1
[world]
dt = 0.01
[[collider]]
kind = "plane"
name = "floor"
[[system]]
kind = "particles"
name = "left"
collision_dt = 0.01
[[system.emitter]]
kind = "point"
name = "start"
position = [0, 2, 0]
direction = [1, 0, 0]
speed = 3
rate = 0
burst = 1
lifetime = 0
[[system]]
kind = "particles"
name = "right"
collision_dt = 0.005
[[system.emitter]]
kind = "box"
name = "start"
position = [1, 2, 0]
size = [0.5, 0.5, 0.5]
rate = 0
burst = 20
speed = 0
lifetime = 0
)" + plots;
}

inline Result<Node> scene_of(const std::string& text) {
  auto scene = read_scene_toml(text, "lab.toml");
  if (!scene) return Unexpected(scene.error());
  add_default_interactions(scene->root);
  if (auto good = check_references(scene->root); !good) {
    Error error = good.error();
    error.file = "lab.toml";
    return fail(std::move(error));
  }
  return std::move(scene->root);
}

/// Returns the error message for this text, or "accepted".
inline std::string scene_error(const std::string& text) {
  const auto scene = scene_of(text);
  return scene ? "accepted" : scene.error().message();
}

/// A world, its plots and the measured values. The values have one row for each step, and the first row is measured
/// before any step.
class Measured {
 public:
  explicit Measured(Node scene) {
    plots_.emplace(test::checked(PlotSet::compile(scene)));
    world_ = test::checked(World::create(std::move(scene)));
    world_->subscribe(plots_->wanted());
    measure();
  }
  void run(double until_s) {
    while (world_->time() + 0.5 * world_->dt() < until_s) {
      ASSERT_TRUE(world_->step()) << world_->health().sentence();
      measure();
    }
  }
  [[nodiscard]] World& world() { return *world_; }
  [[nodiscard]] PlotSet& plots() { return *plots_; }
  [[nodiscard]] std::size_t rows() const { return times_.size(); }
  [[nodiscard]] double time(std::size_t row) const { return times_[row]; }
  /// Returns the column of a curve in the named plot. A plot over a parameter has a column for each system, and
  /// `system` selects one.
  [[nodiscard]] std::size_t column(const std::string& plot, const std::string& curve,
                                   const std::string& system = {}) const {
    for (const PlotPlan& plan : plots_->plans())
      for (std::size_t c = 0; c < plan.columns.size(); ++c) {
        const bool fits = plan.name == plot && plan.curves[plan.columns[c].curve].name == curve &&
                          (system.empty() || plan.columns[c].system == system);
        if (fits) return plan.first_column + c;
      }
    ADD_FAILURE() << "no curve " << plot << "." << curve << " " << system;
    return 0;
  }
  [[nodiscard]] double value(std::size_t row, std::size_t column) const { return values_[row][column]; }
  [[nodiscard]] double last(const std::string& plot, const std::string& curve, const std::string& system = {}) const {
    return values_.back()[column(plot, curve, system)];
  }
  /// Returns the largest value of a curve so far.
  [[nodiscard]] double greatest(const std::string& plot, const std::string& curve) const {
    double most = -1e300;
    for (std::size_t row = 0; row < rows(); ++row)
      if (const double y = values_[row][column(plot, curve)]; std::isfinite(y)) most = std::max(most, y);
    return most;
  }
  /// Returns the largest absolute difference of two curves so far. Rows in which a curve has no value are skipped.
  [[nodiscard]] double apart(const std::string& plot, const std::string& a, const std::string& b) const {
    double most = 0;
    for (std::size_t row = 0; row < rows(); ++row)
      if (const double d = std::abs(values_[row][column(plot, a)] - values_[row][column(plot, b)]); std::isfinite(d))
        most = std::max(most, d);
    return most;
  }

 private:
  void measure() {
    world_->write_snapshot(snapshot_);
    std::vector<double> row;
    plots_->measure(snapshot_, row);
    times_.push_back(snapshot_.time_s);
    values_.push_back(std::move(row));
  }
  std::optional<PlotSet> plots_;
  std::unique_ptr<World> world_;
  Snapshot snapshot_;
  std::vector<double> times_;
  std::vector<std::vector<double>> values_;
};

}  // namespace vw::plot_test

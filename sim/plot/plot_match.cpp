#include "sim/plot/plot_match.h"

#include <algorithm>

namespace vw {
namespace {

/// Returns whether data of plot `a` may be kept for plot `b`. All points of a plot over a parameter are measured at the
/// time `at`, so this time must be equal. The values of a plot over time are stored with their times.
bool alike(const PlotPlan& a, const PlotPlan& b) {
  return a.over_time == b.over_time && a.params.x == b.params.x && (a.over_time || a.params.at_s == b.params.at_s);
}

}  // namespace

const PlotPlan* find_plan(const std::vector<PlotPlan>& plans, const std::string& name) {
  const auto found = std::find_if(plans.begin(), plans.end(), [&](const PlotPlan& plan) { return plan.name == name; });
  return found == plans.end() ? nullptr : &*found;
}

std::vector<std::size_t> matching_columns(const PlotPlan* before, const PlotPlan& now) {
  std::vector<std::size_t> columns(now.columns.size(), no_column);
  if (before == nullptr || !alike(*before, now)) return columns;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const PlotColumn& column = now.columns[c];
    const PlotCurve& curve = now.curves[column.curve];
    const auto same = [&](const PlotColumn& other) {
      const PlotCurve& its = before->curves[other.curve];
      // In a plot over a parameter, x is the value of that parameter in the scene. If the user has edited the
      // parameter, the old data belong to another x and are not kept.
      return other.system == column.system && other.x == column.x && its.name == curve.name &&
             measure_alike(its.node, curve.node);
    };
    const auto found = std::find_if(before->columns.begin(), before->columns.end(), same);
    if (found != before->columns.end()) columns[c] = static_cast<std::size_t>(found - before->columns.begin());
  }
  return columns;
}

void rename_parts(CurveParams& params, const PresentName& present_name) {
  if (!params.joint.empty()) {
    const std::string owner = params.system + ".", now = present_name("joint", owner + params.joint);
    if (now.starts_with(owner)) params.joint = now.substr(owner.size());
  }
  if (names_a_vector(params.quantity) && !params.vector.empty())
    params.vector = present_name("interaction", params.vector);
  if (const std::size_t dot = params.channel.find('.'); params.quantity == Quantity::signal && dot != std::string::npos)
    params.channel =
        params.channel.substr(0, dot + 1) + present_name(params.channel.substr(0, dot), params.channel.substr(dot + 1));
  if (!params.system.empty()) params.system = present_name("system", params.system);
  if (!params.collider.empty()) params.collider = present_name("collider", params.collider);
  if (!params.field.empty()) params.field = present_name("field", params.field);
}

void rename_parts(std::vector<PlotPlan>& plans, const PresentName& present_name) {
  for (PlotPlan& plan : plans) {
    for (PlotColumn& column : plan.columns)
      if (!column.system.empty()) column.system = present_name("system", column.system);
    const std::string owner = plan.name + ".";
    for (PlotCurve& curve : plan.curves) {
      if (const std::string now = present_name("curve", owner + curve.name); now.starts_with(owner))
        curve.name = now.substr(owner.size());
      rename_parts(curve.node.params, present_name);
    }
    plan.name = present_name("plot", plan.name);
  }
}

}  // namespace vw

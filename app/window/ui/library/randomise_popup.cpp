#include "app/window/ui/library/randomise_popup.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/window/ui/app.h"
#include "app/window/ui/panels/param_rows.h"
#include "app/window/ui/widgets/widgets.h"

namespace vw::ui {
namespace {

/// Names of the parameters that take effect while the world runs. They are preselected when the popup opens for a node
/// of another kind than before.
std::vector<std::string> live_params(const Schema& schema) {
  std::vector<std::string> names;
  for (const ParamSpec* spec : randomisable_params(schema))
    if (spec->live == Live::yes) names.push_back(spec->name);
  return names;
}

void begin_randomising(RandomisePopup& popup, const Node& root, const Node& node, const std::string& path) {
  const std::string kind = kind_key(root, path);
  if (popup.kind != kind) popup.settings.params = live_params(*node.schema);
  popup.kind = kind;
  popup.path = path;
  popup.centre = node;
}

void draw_range(RandomiseSettings& settings) {
  if (ImGui::RadioButton("Percent of the value", settings.range == RandomRange::percent))
    settings.range = RandomRange::percent;
  tooltip("Chooses each value at random around the present value");
  ImGui::SameLine();
  if (ImGui::RadioButton("Fraction of the range", settings.range == RandomRange::bounds))
    settings.range = RandomRange::bounds;
  tooltip("Chooses each value at random in an interval whose half width is a fraction of the range of the parameter");
  const bool is_percent = settings.range == RandomRange::percent;
  const double low = 0, high = is_percent ? 1000 : 1;
  ImGui::SetNextItemWidth(em(12));
  ImGui::DragScalar(is_percent ? "Half width###width" : "Half width###fraction", ImGuiDataType_Double,
                    is_percent ? &settings.percent : &settings.fraction, is_percent ? 0.2F : 0.002F, &low, &high,
                    is_percent ? "%.3g %%" : "%.3g", ImGuiSliderFlags_AlwaysClamp);
  tooltip("Half width of the interval. A value with a logarithmic slider is instead multiplied or divided by a factor");
}

void draw_param_choice(RandomisePopup& popup) {
  RandomiseSettings& settings = popup.settings;
  const auto params = randomisable_params(*popup.centre.schema);
  if (ImGui::SmallButton("All")) {
    settings.params.clear();
    for (const ParamSpec* spec : params) settings.params.push_back(spec->name);
  }
  ImGui::SameLine();
  if (ImGui::SmallButton("None")) settings.params.clear();
  const float height = ImGui::GetFrameHeightWithSpacing() * static_cast<float>(std::min<std::size_t>(params.size(), 9));
  ImGui::BeginChild("params", {em(20), height});
  for (const ParamSpec* spec : params) {
    bool on = std::ranges::find(settings.params, spec->name) != settings.params.end();
    const bool has_range = settings.range == RandomRange::percent || has_finite_bounds(*spec);
    ImGui::BeginDisabled(!has_range);
    if (ImGui::Checkbox((spec->label + "##" + spec->name).c_str(), &on)) {
      std::erase(settings.params, spec->name);
      if (on) settings.params.push_back(spec->name);
    }
    ImGui::EndDisabled();
    tooltip(spec->doc + (spec->live == Live::no ? " Takes effect at a reset." : ""));
  }
  ImGui::EndChild();
}

void try_random_values(App& app, ParamRows& rows) {
  RandomisePopup& popup = app.ui.library.randomise;
  const auto assignments = randomised(popup.centre, popup.path, popup.settings);
  app.session.document->end_gesture();  // each try is an undo step of its own
  rows.edits.insert(rows.edits.end(), assignments.begin(), assignments.end());
  const RandomiseSettings& used = popup.settings;
  const std::string range = used.range == RandomRange::percent
                                ? fmt::format("half width {:.3g} % of each value", used.percent)
                                : fmt::format("half width {:.3g} of each range", used.fraction);
  app.log.info(fmt::format("Randomised {} with seed {}: {}, {}.", popup.path, used.seed,
                           assignments.size() == 1 ? "one parameter" : fmt::format("{} parameters", assignments.size()),
                           range));
  ++popup.settings.seed;
}

}  // namespace

void draw_randomise_button(App& app, ParamRows& rows, const std::string& path) {
  const Node& root = app.session.document->root();
  const Node& node = *find_node(root, path);
  if (randomisable_params(*node.schema).empty()) return;
  RandomisePopup& popup = app.ui.library.randomise;
  ImGui::SameLine();
  if (ImGui::Button("Randomise\xE2\x80\xA6")) ImGui::OpenPopup("randomise");
  tooltip("Sets parameters of this node to random values within a range");
  if (!ImGui::BeginPopup("randomise")) return;
  if (ImGui::IsWindowAppearing() || popup.path != path) begin_randomising(popup, root, node, path);
  draw_range(popup.settings);
  draw_param_choice(popup);
  ImGui::SetNextItemWidth(em(12));
  ImGui::InputScalar("Seed", ImGuiDataType_U64, &popup.settings.seed);
  tooltip("The same seed gives the same values around the same centre");
  ImGui::BeginDisabled(popup.settings.params.empty());
  if (primary_button("Try", {em(7), 0})) try_random_values(app, rows);
  ImGui::EndDisabled();
  tooltip("Sets the values of this seed as one undo step, and proceeds to the next seed");
  ImGui::SameLine();
  if (ImGui::Button("Centre on present values")) popup.centre = node;
  tooltip("Chooses the next values around the present values, not around those at the opening of this popup");
  ImGui::EndPopup();
}

}  // namespace vw::ui

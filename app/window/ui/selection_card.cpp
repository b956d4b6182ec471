// The selected element's values with their units, on a card in the picture's upper right corner.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/window/body_names.h"
#include "app/window/param_style.h"
#include "app/window/ui/app.h"
#include "app/window/ui/panels.h"
#include "app/window/ui/plot.h"
#include "app/window/ui/widgets.h"
#include "render/legend_numbers.h"

namespace vw::ui {
namespace {

std::string triple(const Vec3f& v, const char* unit) {
  const float least = 1e-6F * v.cwiseAbs().maxCoeff();
  const auto part = [least](float x) { return std::abs(x) <= least ? 0.0F : x; };
  return fmt::format("{:.3f}, {:.3f}, {:.3f} {}", part(v.x()), part(v.y()), part(v.z()), unit);
}

/// Three digits of the largest part.
std::string force_text(const Vec3f& force) {
  const float largest = force.cwiseAbs().maxCoeff(), digit = std::pow(10.0F, std::floor(std::log10(std::max(largest, 1e-30F))) - 2);
  const auto part = [digit](float x) { return std::round(x / digit) == 0 ? 0.0F : std::round(x / digit) * digit; };
  return fmt::format("{:.3g}, {:.3g}, {:.3g} N", part(force.x()), part(force.y()), part(force.z()));
}

std::string measured(float value, const std::string& name, const std::string& unit) {
  if (name == "asleep") return value > 0 ? "yes" : "no";
  if (name == "contact") return value > 0 ? "touching" : "free";
  if (takes_prefix(unit)) return si_number(static_cast<double>(value)) + unit;  // "m" before 1/s would be read as part of it
  const std::string number = std::abs(value) >= 1000 && std::abs(value) < 1e6F ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
  return unit.empty() ? number : number + " " + pretty_unit(unit);
}

void draw_values(const SystemSnapshot& system, std::size_t i) {
  if (system.look != Look::rigid && i < system.material.size() && system.material[i] < system.palette_names.size())
    stat_row("Material", system.palette_names[system.material[i]]);
  stat_row("Position", triple(system.position[i], "m"));
  if (i < system.velocity.size()) stat_row("Velocity", triple(system.velocity[i], "m/s"));
  if (i < system.size.size())
    stat_row(system.look == Look::voxels  ? "Edge"
             : system.look == Look::rigid ? "Reach"
                                          : "Radius",
             si_number(static_cast<double>(system.size[i])) + "m");
  for (const ChannelInfo& info : system.available) {
    if (system.look == Look::fluid && info.name == "phase") continue;  // the material says it by name
    const auto channel = std::find_if(system.channels.begin(), system.channels.end(), [&](const Channel& c) { return c.name == info.name; });
    const bool known = channel != system.channels.end() && i < channel->values.size();
    stat_row(pretty_name(info.name).c_str(), known ? measured(channel->values[i], info.name, info.unit) : "-");
  }
}

/// What each rule gives to the element.
void draw_forces(const Snapshot& now, std::size_t which, std::size_t i) {
  for (const RuleSnapshot& rule : now.rules) {
    Vec3f force = Vec3f::Zero();
    bool known = false;
    for (const auto& [side, forces] : {std::pair{rule.a, &rule.force_a}, {rule.b, &rule.force_b}}) {
      if (side != which || i >= forces->size()) continue;
      force += (*forces)[i];
      known = true;
    }
    if (!known || force.isZero(0)) continue;
    const std::size_t other = rule.a == which ? rule.b : rule.a;
    const std::string giver = other == which || other >= now.systems.size() ? "itself" : now.systems[other].name;
    stat_row(("From " + giver).c_str(), force_text(force), (pretty_name(rule.node) + ": force on it, mean over a step of the world").c_str());
  }
}

/// The joints that hold a rigid body, by the scene's nodes.
void draw_joints(const App& app, const SystemSnapshot& system, const std::string& body) {
  const Node* node = app.document->root().find("system", system.name);
  if (node == nullptr || body.empty() || system.joints.empty()) return;
  for (const Node* joint : node->all("joint")) {
    if (std::get<std::string>(joint->value("a")) != body && std::get<std::string>(joint->value("b")) != body) continue;
    const auto mark = std::find_if(system.joints.begin(), system.joints.end(), [&](const JointMark& m) { return m.name == joint->name; });
    if (mark == system.joints.end()) continue;
    std::string text = mark->broken ? "broken" : si_number(mark->force_n) + "N";
    if (!mark->broken && mark->torque_nm != 0) text += ", " + si_number(mark->torque_nm) + "N\xC2\xB7m";
    stat_row(fmt::format("{} ({})", joint->name, mark->kind).c_str(), text, "Force and torque that the joint holds with");
  }
}

/// To the side where the element is not; while it is near the middle the card stays.
bool belongs_left(const App& app, const Vec3f& place, ImVec2 size) {
  const Camera& camera = app.viewport.camera;
  const glm::vec4 at = camera.projection(size.x / size.y) * camera.view() * glm::vec4(place.x(), place.y(), place.z(), 1);
  const float across = at.w > 0 ? at.x / at.w : 0;
  return across > 0.1F || (app.layout.card_left && across > -0.1F);
}

}  // namespace

void draw_selection_card(App& app, ImVec2 corner, ImVec2 size) {
  const Snapshot* now = app.snapshot();
  const Selection& selection = app.viewport.selection;
  if (now == nullptr || selection.system.empty() || selection.element < 0) return;
  const auto system = std::find_if(now->systems.begin(), now->systems.end(), [&](const auto& s) { return s.name == selection.system; });
  const auto i = static_cast<std::size_t>(selection.element);
  if (system == now->systems.end() || i >= system->position.size()) return;
  app.layout.card_left = belongs_left(app, system->position[i], size);
  const float side = app.layout.card_left ? 0 : 1, width = std::min(em(19), size.x - em(1.6F));
  ImGui::SetNextWindowPos({corner.x + em(0.8F) + side * (size.x - em(1.6F)), corner.y + em(0.8F)}, ImGuiCond_Always, {side, 0});
  ImGui::SetNextWindowSize({width, 0});
  ImGui::SetNextWindowSizeConstraints({width, 0}, {width, 0.7F * size.y});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, ImVec4{palette::window.x, palette::window.y, palette::window.z, 0.82F});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, em(0.4F));
  ImGui::Begin("selection", nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing);
  if (app.fonts.strong != nullptr) ImGui::PushFont(app.fonts.strong);
  const auto id = i < system->id.size() ? system->id[i] : static_cast<std::uint32_t>(i);
  const char* const what = system->look == Look::voxels ? "voxel" : system->look == Look::rigid ? "body" : "particle";
  const std::string body = system->look == Look::rigid ? body_name(*system, i) : std::string();
  ImGui::TextUnformatted(fmt::format("{}, {}", system->name, body.empty() ? fmt::format("{} {}", what, id) : body).c_str());
  if (app.fonts.strong != nullptr) ImGui::PopFont();
  ImGui::SameLine(ImGui::GetWindowWidth() - em(1.7F));
  const bool closed = icon_button("close", Icon::close, "Clear the selection (Esc)", false, &palette::dim, 1.2F);
  if (ImGui::BeginTable("values", 2, ImGuiTableFlags_SizingStretchProp)) {
    ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthStretch, 0.43F);
    ImGui::TableSetupColumn("value", ImGuiTableColumnFlags_WidthStretch, 0.57F);
    draw_values(*system, i);
    draw_forces(*now, static_cast<std::size_t>(system - now->systems.begin()), i);
    if (system->look == Look::rigid) draw_joints(app, *system, body_name(*system, i));
    ImGui::EndTable();
  }
  ImGui::End();
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  if (closed) app.viewport.clear_selection(app);
}

}  // namespace vw::ui

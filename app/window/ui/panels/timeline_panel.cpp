// The timeline above the transport bar: a row for each branch, with marks and keyframes. Dragging goes to another
// moment, the wheel zooms, and a right click opens the menu of a branch.
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "app/window/labels/quantity_labels.h"
#include "app/window/ui/app.h"
#include "app/window/ui/panels/panels.h"
#include "app/window/ui/widgets/widgets.h"

namespace vw::ui {
namespace {

using Mark = Timeline::Mark;

constexpr float row_em = 0.95F, rows_limit_em = 5.5F, axis_em = 1.2F, margin_em = 0.8F, timeline_names_em = 8;
/// Shortest range of times that zooming can show [s], and shortest range when the whole session is shown [s].
constexpr double shortest_range_s = 0.02, least_range_s = 2;

/// Mapping of times and branches to positions in the window.
struct TimelineRows {
  const Timeline& timeline;
  ImVec2 low, high;  ///< corners of the rows [window units]
  double from_s = 0, to_s = 1;
  float row_height = 0;

  [[nodiscard]] float x(double time_s) const {
    return low.x + static_cast<float>((time_s - from_s) / (to_s - from_s)) * (high.x - low.x);
  }
  [[nodiscard]] double time(float at_x) const {
    return from_s + static_cast<double>((at_x - low.x) / (high.x - low.x)) * (to_s - from_s);
  }
  [[nodiscard]] float y(std::size_t row) const { return low.y + (static_cast<float>(row) + 0.5F) * row_height; }
  [[nodiscard]] std::size_t row_of(std::uint32_t branch) const {
    const auto found = std::ranges::find(timeline.branches, branch, &Timeline::Branch::number);
    return static_cast<std::size_t>(found - timeline.branches.begin());
  }
  /// The branch at a point, or null.
  [[nodiscard]] const Timeline::Branch* at(ImVec2 point) const {
    const auto row = static_cast<std::ptrdiff_t>(std::floor((point.y - low.y) / row_height));
    if (row < 0 || row >= std::ssize(timeline.branches)) return nullptr;
    const Timeline::Branch& branch = timeline.branches[static_cast<std::size_t>(row)];
    const double reach = time(point.x + em(0.6F)) - time(point.x);
    const double t = time(point.x);
    return t >= branch.begin_s - reach && t <= branch.end_s + reach ? &branch : nullptr;
  }
};

double end_of(const Timeline& timeline, const TimelinePlace& place) {
  double end = place.elapsed_s;
  for (const Timeline::Branch& branch : timeline.branches) end = std::max(end, branch.end_s);
  return end;
}

ImVec4 branch_tint(std::uint32_t branch) {
  static const std::array<ImVec4, 5> tints{palette::kinetic, palette::potential, palette::elastic, palette::good,
                                           palette::error};
  return tints[branch % tints.size()];
}

ImVec4 mark_tint(Mark::Kind kind) {
  switch (kind) {
    case Mark::Kind::failure: return palette::error;
    case Mark::Kind::bookmark: return palette::warning;
    case Mark::Kind::reset: return palette::kinetic;
    case Mark::Kind::nodes: return palette::good;
    default: return palette::text;
  }
}

double step_of(const App& app) { return app.session.run->newest().dt_s; }

/// Factor for the shortest ranges of times. It is below 1 only for steps shorter than a millisecond, so that runs of a
/// few milliseconds fill the timeline.
double range_factor(const App& app) {
  constexpr double usual_steps_hz = 1000;
  return step_of(app) > 0 ? std::min(1.0, usual_steps_hz * step_of(app)) : 1;
}

std::string size_text(std::uint64_t bytes) {
  const double megabytes = static_cast<double>(bytes) / (1 << 20);
  return megabytes < 1000 ? fmt::format("{:.0f} MB", megabytes) : fmt::format("{:.1f} GB", megabytes / 1024);
}

/// Step between labels of the axis: 1, 2 or 5 times a power of ten, at least `least` seconds.
double label_step(double least) {
  const double decade = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * decade >= least) return factor * decade;
  return 10 * decade;
}

/// Times since the start of the session [s] at which a line of branches was at the start of its scene: 0 and its
/// resets, ascending. The line ends with the branch `last`.
std::vector<double> starts_of(const Timeline& timeline, std::uint32_t last) {
  std::vector<double> starts{0};
  const std::vector<const Timeline::Branch*> path = timeline.path(last);
  for (const Timeline::Branch* branch : path) {
    double end_s = std::numeric_limits<double>::infinity();
    for (const Timeline::Branch* next : path)
      if (next->parent == branch->number) end_s = next->begin_s;
    for (const Mark& mark : branch->marks)
      if (mark.kind == Mark::Kind::reset && mark.elapsed_s <= end_s) starts.push_back(mark.elapsed_s);
  }
  std::ranges::sort(starts);
  return starts;
}

/// Time of the scene [s] at a time since the start of the session: the time since the last of the `starts`.
double scene_time(const std::vector<double>& starts, double time_s) {
  const auto next = std::ranges::upper_bound(starts, time_s);
  return time_s - (next == starts.begin() ? 0 : *std::prev(next));
}

/// Draws an axis with the times of the scene. The times begin at 0 at each of the `starts`.
void draw_axis(const TimelineRows& rows, float bottom, const std::vector<double>& starts) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const double step = label_step((rows.to_s - rows.from_s) * static_cast<double>(em(5) / (rows.high.x - rows.low.x)));
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const double start = starts[i], end = i + 1 < starts.size() ? starts[i + 1] : rows.to_s;
    const float end_x = i + 1 < starts.size() ? rows.x(end) : rows.high.x + em(4);
    for (double t = std::max(0.0, std::ceil((rows.from_s - start) / step) * step);
         start + t < end && start + t <= rows.to_s; t += step) {
      const float x = rows.x(start + t);
      const std::string text = fmt::format("{:g} s", std::abs(t) < 1e-12 ? 0 : t);
      list->AddLine({x, rows.low.y}, {x, rows.high.y + em(0.2F)}, color(palette::line));
      if (x + em(0.2F) + ImGui::CalcTextSize(text.c_str()).x < end_x)
        list->AddText({x + em(0.2F), bottom - ImGui::GetTextLineHeight()}, color(palette::dim), text.c_str());
    }
  }
}

void draw_branch(const TimelineRows& rows, const Timeline::Branch& branch, double end_s, bool is_on_path) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float y = rows.y(rows.row_of(branch.number)), thickness = std::max(1.5F, rows.row_height * 0.22F);
  const ImU32 tint = color(branch_tint(branch.number), is_on_path ? 1 : 0.45F);
  const float begin = std::clamp(rows.x(branch.begin_s), rows.low.x, rows.high.x);
  const float end = std::clamp(rows.x(end_s), rows.low.x, rows.high.x);
  if (branch.parent && begin > rows.low.x)
    list->AddLine({begin, rows.y(rows.row_of(*branch.parent))}, {begin, y}, tint, 1.5F);
  list->AddLine({begin, y}, {std::max(end, begin + 2), y}, tint, thickness);
  // Draw a line for each keyframe, except for keyframes that are closer than 2 window units to the last line.
  float last = -1e9F;
  for (const float kept : branch.keyframes) {
    const float x = rows.x(static_cast<double>(kept));
    if (x < rows.low.x || x > rows.high.x || x - last < 2) continue;
    list->AddLine({x, y + thickness * 0.5F + 1}, {x, y + thickness * 0.5F + rows.row_height * 0.16F + 1},
                  color(palette::dim, is_on_path ? 0.8F : 0.4F));
    last = x;
  }
  const float radius = std::clamp(rows.row_height * 0.2F, 2.5F, em(0.3F));
  for (const Mark& mark : branch.marks) {
    const float x = rows.x(mark.elapsed_s);
    if (x < rows.low.x - radius || x > rows.high.x + radius) continue;
    const ImU32 fill = color(mark_tint(mark.kind), is_on_path ? 1 : 0.6F);
    if (mark.kind == Mark::Kind::bookmark)
      list->AddTriangleFilled({x - radius, y - 2 * radius}, {x + radius, y - 2 * radius}, {x, y}, fill);
    else
      list->AddCircleFilled({x, y}, radius, fill, 12);
  }
}

void draw_moment(const TimelineRows& rows, const TimelinePlace& place, float top) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float x = rows.x(place.elapsed_s);
  if (x < rows.low.x - 1 || x > rows.high.x + 1) return;
  const ImU32 tint = color(place.is_past ? palette::warning : palette::accent);
  list->AddLine({x, top}, {x, rows.high.y + em(0.2F)}, tint, 1.5F);
  list->AddTriangleFilled({x - em(0.35F), top}, {x + em(0.35F), top}, {x, top + em(0.45F)}, tint);
  list->AddCircle({x, rows.y(rows.row_of(place.branch))}, std::max(3.0F, rows.row_height * 0.3F), tint, 16, 1.5F);
}

/// The mark of a branch that is nearest to the horizontal position `x`, or null if no mark is within 0.45 em.
const Mark* mark_near(const TimelineRows& rows, const Timeline::Branch& branch, float x) {
  const Mark* nearest = nullptr;
  float least = em(0.45F);
  for (const Mark& mark : branch.marks)
    if (const float distance = std::abs(rows.x(mark.elapsed_s) - x); distance < least)
      nearest = &mark, least = distance;
  return nearest;
}

void zoom(App& app, const TimelineRows& rows, double end_s) {
  const ImGuiIO& io = ImGui::GetIO();
  TimelineState& state = app.ui.timeline;
  if (io.MouseWheel != 0) {
    const double at = rows.time(io.MousePos.x), factor = std::pow(0.8, static_cast<double>(io.MouseWheel));
    // Far from the start, a shorter range could not be divided into labelled steps.
    const double shortest = std::max(range_factor(app) * shortest_range_s, 1e-9 * end_s);
    const double range = std::max(factor * (rows.to_s - rows.from_s), shortest);
    state.from_s = at - (at - rows.from_s) / (rows.to_s - rows.from_s) * range;
    state.to_s = state.from_s + range;
    if (range > 1.2 * std::max(end_s, range_factor(app) * least_range_s)) state.from_s = state.to_s = 0;
  }
  if (ImGui::IsMouseDragging(ImGuiMouseButton_Middle, 0)) {
    const double shift = rows.time(0) - rows.time(io.MouseDelta.x);
    state.from_s = rows.from_s + shift;
    state.to_s = rows.to_s + shift;
  }
}

/// Goes to the moment below the pointer while the left button is down.
void drag_moment(App& app, const TimelineRows& rows, const TimelinePlace& place) {
  TimelineState& state = app.ui.timeline;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (ImGui::IsItemActivated() && ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
    state.is_dragging = true;
    state.requested_s = -1;
    app.session.backwards.is_on = false;
    app.session.run->set_paused(true);
  }
  if (!state.is_dragging) return;
  const Timeline::Branch* below = rows.at(mouse);
  const std::uint32_t branch = below == nullptr ? place.branch : below->number;
  double time = std::max(0.0, rows.time(std::clamp(mouse.x, rows.low.x, rows.high.x)));
  if (const Mark* mark = below == nullptr ? nullptr : mark_near(rows, *below, mouse.x)) time = mark->elapsed_s;
  if (time != state.requested_s) seek(app, branch, time);
  state.requested_s = time;
  if (ImGui::IsMouseDown(ImGuiMouseButton_Left)) return;
  state.is_dragging = false;
  app.session.run->set_paused(!app.session.playing);
}

/// Draws the picture that is nearest to a moment, and the time of this picture if it differs from the moment.
void draw_small_picture(const App& app, const Timeline& timeline, std::uint32_t branch, double time_s) {
  constexpr double other_moment_s = 0.3;  // more than half the usual interval between two pictures
  const auto found = app.session.moment_pictures.nearest(timeline, branch, time_s);
  if (!found || !app.view.moments.exists()) return;
  const MomentAtlas::Corners corners = MomentAtlas::corners(found->cell);
  const auto width = static_cast<float>(MomentPictures::width_px),
             height = static_cast<float>(MomentPictures::height_px);
  const float scale = std::max(1.0F, em(12) / width);
  ImGui::Image(app.view.moments.texture(), {scale * width, scale * height}, corners.low, corners.high);
  if (std::abs(found->elapsed_s - time_s) > other_moment_s)
    ImGui::TextColored(palette::dim, "Picture of %s", clock_text(found->elapsed_s, step_of(app)).c_str());
}

void describe(const App& app, const TimelineRows& rows, std::uint32_t present) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const Timeline::Branch* branch = rows.at(mouse);
  const std::vector<double> starts = starts_of(rows.timeline, branch == nullptr ? present : branch->number);
  if (branch == nullptr)
    return ImGui::SetTooltip("%s",
                             clock_text(scene_time(starts, std::max(0.0, rows.time(mouse.x))), step_of(app)).c_str());
  std::string text = branch->name + "\n";
  const Mark* mark = mark_near(rows, *branch, mouse.x);
  text += clock_text(scene_time(starts, mark == nullptr ? rows.time(mouse.x) : mark->elapsed_s), step_of(app));
  if (mark != nullptr) text += "\n" + mark->text;
  // The tooltip is above the timeline, so that it hides neither the timeline nor the buttons below.
  const float half = em(6.6F), width = ImGui::GetIO().DisplaySize.x;
  ImGui::SetNextWindowPos({std::clamp(mouse.x, half, std::max(half, width - half)), ImGui::GetWindowPos().y - em(0.2F)},
                          ImGuiCond_Always, {0.5F, 1});
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(em(26));
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopTextWrapPos();
  draw_small_picture(app, rows.timeline, branch->number, mark == nullptr ? rows.time(mouse.x) : mark->elapsed_s);
  ImGui::EndTooltip();
}

void branch_menu(App& app, const Timeline& timeline) {
  if (!ImGui::BeginPopup("branch")) return;
  const Timeline::Branch* branch = timeline.find(app.ui.timeline.menu_branch);
  if (branch == nullptr) {
    ImGui::CloseCurrentPopup();
    return ImGui::EndPopup();
  }
  ImGui::TextColored(palette::dim, "%s", branch->name.c_str());
  const auto go_to = [&](double elapsed_s) {
    app.session.backwards.is_on = false;
    seek(app, branch->number, elapsed_s);
  };
  if (ImGui::MenuItem("Go to the end")) go_to(branch->end_s + 1);
  if (branch->parent && ImGui::MenuItem("Go to the beginning")) go_to(branch->begin_s);
  if (ImGui::MenuItem("Rename\xE2\x80\xA6"))
    app.ui.timeline.naming = TimelineState::NameField{.branch = branch->number, .text = branch->name};
  if (ImGui::MenuItem("Compare with this branch", nullptr, false,
                      branch->number != app.session.run->newest().place.branch))
    compare_with_branch(app, branch->number);
  if (ImGui::MenuItem("Make this the main line", nullptr, timeline.main == branch->number))
    app.session.run->promote_branch(branch->number);
  const Mark* mark = nullptr;
  for (const Mark& one : branch->marks)
    if (one.kind == Mark::Kind::bookmark && one.tick == app.ui.timeline.menu_bookmark) mark = &one;
  if (mark != nullptr && ImGui::MenuItem(("Remove the bookmark " + mark->text).c_str()))
    app.session.run->remove_bookmark(branch->number, mark->tick);
  if (ImGui::MenuItem("Remove this branch", nullptr, false, branch->parent.has_value()))
    app.session.run->remove_branch(branch->number);
  ImGui::EndPopup();
}

/// Closes the field for a name. If the field was for a bookmark, a playing world goes on.
void end_naming(App& app) {
  const bool is_bookmark = app.ui.timeline.naming->is_bookmark;
  app.ui.timeline.naming.reset();
  if (is_bookmark) app.session.run->set_paused(!app.session.playing);
}

void name_field(App& app) {
  std::optional<TimelineState::NameField>& naming = app.ui.timeline.naming;
  if (!naming) return;
  if (naming->opens) ImGui::OpenPopup("name");
  if (!ImGui::BeginPopup("name")) {
    if (!naming->opens) end_naming(app);
    return;
  }
  if (naming->opens) ImGui::SetKeyboardFocusHere();
  naming->opens = false;
  ImGui::TextColored(palette::dim, naming->is_bookmark ? "Name of this moment" : "Name of the branch");
  ImGui::SetNextItemWidth(em(14));
  const bool entered = ImGui::InputText("##name", &naming->text, ImGuiInputTextFlags_EnterReturnsTrue);
  ImGui::SameLine();
  if ((primary_button("Name") || entered) && !naming->text.empty()) {
    naming->is_bookmark ? app.session.run->add_bookmark(naming->text)
                        : app.session.run->rename_branch(naming->branch, naming->text);
    ImGui::CloseCurrentPopup();
    end_naming(app);
  }
  ImGui::EndPopup();
}

void draw_use(const Timeline& timeline, const TimelinePlace& place, ImVec2 at, float width) {
  ImGui::SetCursorScreenPos(at);
  if (place.is_seeking) {
    ImGui::TextColored(palette::warning, "%s", fmt::format("{:.0f} %", 100 * (1 - place.seek_remaining)).c_str());
    tooltip("Progress of the recomputation up to the chosen moment");
    return;
  }
  const std::string text = size_text(timeline.memory_bytes + timeline.file_bytes);
  dim_text(shortened(text, width));
  std::string hint = fmt::format("{} keyframes use {} of at most {} in memory", timeline.keyframe_count,
                                 size_text(timeline.memory_bytes), size_text(timeline.memory_limit_bytes));
  if (timeline.file_limit_bytes > 0)
    hint += fmt::format(" and {} of at most {} in a temporary file", size_text(timeline.file_bytes),
                        size_text(timeline.file_limit_bytes));
  tooltip(hint);
}

}  // namespace

float timeline_height(const App& app) {
  if (!app.ui.layout.timeline || !app.session.have_snapshot || app.view.shows_voxel_editor()) return 0;
  const auto count = static_cast<float>(std::max<std::size_t>(1, app.session.run->timeline()->branches.size()));
  return em(axis_em + margin_em + std::min(rows_limit_em, row_em * count));
}

void draw_timeline(App& app) {
  const std::shared_ptr<const Timeline> timeline = app.session.run->timeline();
  const TimelinePlace& place = app.session.run->newest().place;
  if (timeline->find(place.branch) == nullptr) return;  // the timeline is older than the snapshot
  app.session.moment_pictures.keep_only(*timeline);
  const ImVec2 corner = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  const double end_s = end_of(*timeline, place);
  const TimelineState& state = app.ui.timeline;
  const bool is_zoomed = state.to_s > state.from_s;
  TimelineRows rows{.timeline = *timeline,
                    .low = {corner.x + em(0.9F), corner.y + em(0.55F)},
                    .high = {corner.x + size.x - em(timeline_names_em * 0.6F), corner.y + size.y - em(axis_em)},
                    .from_s = is_zoomed ? state.from_s : 0,
                    .to_s = is_zoomed ? state.to_s : std::max(end_s * 1.02, range_factor(app) * least_range_s)};
  rows.row_height = (rows.high.y - rows.low.y) / static_cast<float>(timeline->branches.size());
  draw_axis(rows, corner.y + size.y, starts_of(*timeline, place.branch));
  const std::vector<const Timeline::Branch*> path = timeline->path(place.branch);
  for (const Timeline::Branch& branch : timeline->branches) {
    const bool is_present = branch.number == place.branch;
    draw_branch(rows, branch, is_present ? std::max(branch.end_s, place.elapsed_s) : branch.end_s,
                std::ranges::find(path, &branch) != path.end());
  }
  draw_moment(rows, place, corner.y + em(0.1F));

  ImGui::SetCursorScreenPos({rows.low.x - em(0.5F), corner.y});
  ImGui::InvisibleButton("times", {rows.high.x - rows.low.x + em(1), size.y});
  const bool is_hovered = ImGui::IsItemHovered();
  drag_moment(app, rows, place);
  if (is_hovered) {
    zoom(app, rows, end_s);
    if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Middle)) app.ui.timeline.from_s = app.ui.timeline.to_s = 0;
    const Timeline::Branch* below = rows.at(ImGui::GetIO().MousePos);
    if (below != nullptr && ImGui::IsMouseReleased(ImGuiMouseButton_Right)) {
      app.ui.timeline.menu_branch = below->number;
      const Mark* mark = mark_near(rows, *below, ImGui::GetIO().MousePos.x);
      app.ui.timeline.menu_bookmark = mark == nullptr ? std::numeric_limits<std::uint64_t>::max() : mark->tick;
      ImGui::OpenPopup("branch");
    }
    if (!ImGui::IsAnyMouseDown()) describe(app, rows, place.branch);
  }
  branch_menu(app, *timeline);
  name_field(app);
  draw_use(*timeline, place, {rows.high.x + em(0.9F), corner.y + em(0.3F)}, em(timeline_names_em * 0.6F - 1));
}

}  // namespace vw::ui

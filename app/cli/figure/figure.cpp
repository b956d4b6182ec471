#include "app/cli/figure/figure.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "app/capture/capture.h"
#include "app/capture/document.h"
#include "app/cli/cli.h"
#include "app/cli/commands/commands.h"
#include "app/cli/figure/figure_layout.h"
#include "app/cli/figure/figure_plots.h"
#include "app/cli/figure/picture_views.h"
#include "app/cli/progress.h"
#include "app/cli/warnings.h"
#include "render/follow.h"
#include "render/framing.h"
#include "sim/base/files/file.h"
#include "sim/base/system/interrupt.h"
#include "sim/base/text.h"

namespace vw::cli {
namespace {

/// Returns the times of the panels in increasing order [s].
Result<std::vector<double>> moments_of(const FigureSetup& setup, const FigureOptions& options) {
  const double start = setup.run.time_s();
  if (options.contact_sheet > 0) {
    if (!(setup.end_s > start))
      return fail(fmt::format("--contact-sheet = {}: the run has no duration, because it starts and ends at {:g} s",
                              options.contact_sheet, start));
    std::vector<double> times;
    for (std::int64_t i = 0; i < options.contact_sheet; ++i)
      times.push_back(start +
                      (setup.end_s - start) * static_cast<double>(i) / static_cast<double>(options.contact_sheet - 1));
    return times;
  }
  if (options.strip_s.empty()) return std::vector<double>{setup.end_s};
  for (std::size_t i = 0; i < options.strip_s.size(); ++i) {
    if (options.strip_s[i] < start)
      return fail(fmt::format("--strip = {:g} s: must not be before {:g} s, at which the run starts",
                              options.strip_s[i], start));
    if (i > 0 && options.strip_s[i] <= options.strip_s[i - 1])
      return fail(fmt::format("--strip = {:g} s after {:g} s: must be in ascending order", options.strip_s[i],
                              options.strip_s[i - 1]));
  }
  return options.strip_s;
}

/// Smallest range that contains the ranges of several legends.
struct JointRange {
  bool any = false;
  double min = 0, max = 0;
  void add(double low, double high) {
    min = any ? std::min(min, low) : low;
    max = any ? std::max(max, high) : high;
    any = true;
  }
};

/// Kinds of values that have an automatic range of colours which the view can lock.
enum class RangeKind { elements, planes, lines, other };

/// Returns the kind of values whose range a legend shows. The legends of the elements come first, then those of the
/// field, then those of fluids.
RangeKind range_kind_of(const Legend& legend, const Snapshot& moment, const ViewParams& view) {
  if (legend.colors.empty()) return RangeKind::other;
  const std::string& title = legend.title;
  const auto is_of = [&](const std::string& name) { return title == name + ": " + view.color_by; };
  if (view.color_by != "material" &&
      (title == view.color_by ||
       std::ranges::any_of(moment.systems, [&](const SystemSnapshot& system) { return is_of(system.name); })))
    return RangeKind::elements;
  const FieldPicture& field = moment.field;
  const bool has_planes = !field.slices.empty();
  if (has_planes && title == (view.field.empty() ? "air" : view.field) + ": " + spaced(field.quantity))
    return RangeKind::planes;
  // If the planes show the speed, the lines of the field have no legend of their own.
  const bool has_lines =
      !field.streamlines.point.empty() || !field.pathlines.point.empty() || !field.streaklines.point.empty();
  if (!has_lines || (has_planes && field.quantity == "speed")) return RangeKind::other;
  constexpr std::array<std::string_view, 4> of_lines{"lines: speed", "streamlines: speed", "pathlines: speed",
                                                     "streaklines: speed"};
  const bool is_of_lines = std::ranges::any_of(of_lines, [&](std::string_view one) { return one == title; });
  return is_of_lines ? RangeKind::lines : RangeKind::other;
}

/// Replaces automatic ranges of colours and arrows by the ranges that span all moments. The ranges are taken from the
/// legends of tiny pictures. The pictures are drawn from the last moment to the first, because automatic ranges adapt
/// gradually while time advances.
void lock_ranges(const std::vector<Snapshot>& moments, const Camera& camera, ViewParams& view) {
  constexpr int tiny_px = 32;
  const auto painter = OffscreenPainter::create_software();
  JointRange colors, arrows, planes, lines;
  for (auto moment = moments.rbegin(); moment != moments.rend(); ++moment) {
    if (!painter->draw({&*moment, &*moment, 1}, camera, view, tiny_px, tiny_px)) return;
    bool has_lines = false;
    for (const Legend& legend : painter->legends()) {
      const RangeKind kind = range_kind_of(legend, *moment, view);
      const auto low = static_cast<double>(legend.min), high = static_cast<double>(legend.max);
      if (kind == RangeKind::elements) colors.add(low, high);
      if (kind == RangeKind::planes) planes.add(low, high);
      // The first legend of this kind belongs to the lines of the field, a later one to the lines in fluids.
      if (kind == RangeKind::lines && !std::exchange(has_lines, true)) lines.add(low, high);
    }
    if (const VectorLegend one = painter->vector_legends()[1]; one.shown && one.range > 0)
      arrows.add(0, static_cast<double>(one.range));
  }
  if (view.range_auto && colors.any) {
    view.range_auto = false;
    view.range_min = colors.min;
    view.range_max = colors.max;
  }
  // The view has one range for planes and lines. If they show different quantities, both ranges stay automatic.
  const JointRange& field = planes.any ? planes : lines;
  if (view.air_range_auto && field.any && !(planes.any && lines.any)) {
    view.air_range_auto = false;
    view.air_range_min = field.min;
    view.air_range_max = field.max;
  }
  if (view.vectors && view.vector_range_auto && arrows.any) {
    view.vector_range_auto = false;
    view.vector_range = arrows.max;
  }
}

/// Runs the scene of a figure, keeps the snapshots of its moments and draws its panels.
class FigureMaker {
 public:
  FigureMaker(const FigureSetup& setup, const FigureOptions& options, FigurePlots* plots)
      : setup_(setup), options_(options), plots_(plots) {
    view_.legend = false;  // the layout draws the legends
  }

  /// Runs the scene and keeps the snapshots of the moments.
  void run(const std::vector<double>& times, WrittenFigure& out);
  [[nodiscard]] Result<std::vector<FigurePanel>> draw_panels();
  [[nodiscard]] const std::vector<Snapshot>& moments() const { return moments_; }

 private:
  [[nodiscard]] Result<void> draw_moment(std::size_t moment, const Camera& camera, const ViewParams& view,
                                         const Bounds3& box);
  void frame_moments();
  [[nodiscard]] std::string caption_of(const Snapshot& moment, const std::string& view) const;
  /// Returns whether pictures depend on earlier snapshots, so that each moment must be drawn before the next one.
  [[nodiscard]] bool shows_past() const { return view_.trails || view_.trace; }

  const FigureSetup& setup_;
  const FigureOptions& options_;
  FigurePlots* plots_;  ///< null if the figure has no plots
  ViewParams view_ = setup_.view;
  std::vector<Snapshot> moments_;
  std::vector<Camera> cameras_;
  std::vector<FigurePanel> panels_;
  Result<void> outcome_;
};

void FigureMaker::run(const std::vector<double>& times, WrittenFigure& out) {
  constexpr double slack = 1e-6;  // tolerance for rounding errors of times, in steps
  Follower follower;
  Camera camera = setup_.camera;
  Progress progress(setup_.run.time_s(), times.back());
  const bool follows = shows_past() || !view_.follow.empty() || plots_ != nullptr;
  Snapshot passing;
  while (moments_.size() < times.size()) {
    const bool is_due = setup_.run.time_s() >= times[moments_.size()] - slack * setup_.run.dt_s();
    if (is_due || follows) setup_.run.snapshot(passing, is_due);
    if (follows) {
      follower.move(camera, {&passing, &passing, 1}, view_.follow);
      setup_.painter.note(passing, view_);
      if (plots_ != nullptr) plots_->measure(passing);
    }
    if (is_due) {
      moments_.push_back(passing);
      cameras_.push_back(camera);
      // With several moments, the subjects of the later ones are not known yet.
      if (shows_past() && times.size() == 1) frame_moments();
      if (shows_past() && outcome_)
        outcome_ = draw_moment(moments_.size() - 1, cameras_.back(), view_, subject_bounds(passing));
      continue;
    }
    progress.show(setup_.run.time_s());
    if (interrupted()) break;
    if (!setup_.run.step()) {
      out.failed = true;
      break;
    }
    say_warnings(setup_.run);
  }
  if (!moments_.empty()) return;
  setup_.run.snapshot(passing);
  moments_.push_back(passing);
  cameras_.push_back(camera);
  if (!shows_past()) return;
  frame_moments();
  outcome_ = draw_moment(0, cameras_.front(), view_, subject_bounds(passing));
}

std::string FigureMaker::caption_of(const Snapshot& moment, const std::string& view) const {
  std::string text = options_.views.size() > 1 ? spaced(view) : "";
  if (options_.strip_s.empty() && options_.contact_sheet == 0) return text;
  // The time is rounded to milliseconds, because a moment can be up to one step later than requested.
  return text + (text.empty() ? "" : ", ") + fmt::format("{:g} s", std::round(moment.time_s * 1000) / 1000);
}

Result<void> FigureMaker::draw_moment(std::size_t moment, const Camera& camera, const ViewParams& view,
                                      const Bounds3& box) {
  const float aspect = static_cast<float>(setup_.panel.width) / static_cast<float>(setup_.panel.height);
  const Snapshot& shown = moments_[moment];
  const std::vector<std::string> views = options_.views.empty() ? std::vector<std::string>{"camera"} : options_.views;
  for (const std::string& name : views) {
    const auto from = camera_of_view(name, view, camera, box, aspect);
    if (!from) return Unexpected(from.error());
    auto image = setup_.painter.draw({&shown, &shown, 1}, *from, view, setup_.panel.width, setup_.panel.height);
    if (!image) return Unexpected(image.error());
    FigurePanel panel{.image = std::make_shared<const Image>(std::move(*image))};
    panel.caption = caption_of(shown, name);
    panel.camera = *from;
    if (setup_.view.legend) {
      panel.legends = setup_.painter.legends();
      panel.vectors = setup_.painter.vector_legends();
    }
    panels_.push_back(std::move(panel));
  }
  return {};
}

/// Gives all moments the camera that frames their subjects, if the camera is automatic.
void FigureMaker::frame_moments() {
  if (!view_.auto_frame || !view_.auto_follow || !view_.follow.empty()) return;
  std::vector<const Snapshot*> shown;
  for (const Snapshot& moment : moments_) shown.push_back(&moment);
  frame_still(cameras_.front(), shown,
              static_cast<float>(setup_.panel.width) / static_cast<float>(setup_.panel.height));
  cameras_.assign(cameras_.size(), Camera(cameras_.front()));
}

Result<std::vector<FigurePanel>> FigureMaker::draw_panels() {
  if (!outcome_) return Unexpected(outcome_.error());
  if (!shows_past()) {
    frame_moments();
    if (moments_.size() > 1) lock_ranges(moments_, setup_.camera, view_);
    Bounds3 box = subject_bounds(moments_[0]);
    for (const Snapshot& moment : moments_) {
      const Bounds3 more = subject_bounds(moment);
      box = {glm::min(box.min, more.min), glm::max(box.max, more.max)};
    }
    for (std::size_t i = 0; i < moments_.size(); ++i)
      if (auto drawn = draw_moment(i, cameras_[i], view_, box); !drawn) return Unexpected(drawn.error());
  } else if (moments_.size() > 1 && view_.range_auto && view_.color_by != "material") {
    say("warning: each panel has a colour range of its own, because trails and paths are drawn while the scene runs; "
        "set view.range_auto, view.range_min and view.range_max for a common range");
  }
  if (plots_ == nullptr) return std::move(panels_);
  std::vector<double> times;
  for (const Snapshot& moment : moments_) times.push_back(moment.time_s);
  for (PlotFigure& plot : plots_->panels(times))
    panels_.push_back({.image = nullptr, .plot = std::make_shared<const PlotFigure>(std::move(plot))});
  return std::move(panels_);
}

/// Opens the plots that the options name, and adds the data that they measure to the snapshots of the run.
Result<std::optional<FigurePlots>> open_plots(const FigureSetup& setup, const FigureOptions& options) {
  if (options.plots.empty()) return std::optional<FigurePlots>();
  auto plots = FigurePlots::open(setup.run, options.plots);
  if (!plots) return Unexpected(plots.error());
  Snapshot start;
  setup.run.snapshot(start);
  if (auto known = plots->check(start); !known) return Unexpected(known.error());
  SnapshotRequest wanted = request_for(setup.view);
  plots->add_to(wanted);
  setup.run.subscribe(std::move(wanted));
  return std::optional(std::move(*plots));
}

Result<void> write_page(const Drawing& page, const TextFont& font, const FigureSetup& setup,
                        const FigureOptions& options, const Snapshot& last, bool is_transparent) {
  const std::string ending = lowercase(std::filesystem::path(setup.file).extension().string());
  if (is_document_name(setup.file)) {
    const DocumentOptions document{.width_mm = options.width_mm, .title = options.title};
    const auto bytes = ending == ".svg" ? svg_document(page, font, document) : pdf_document(page, font, document);
    return bytes ? write_file_atomic(setup.file, *bytes) : wrong_file(setup.file, bytes.error().message());
  }
  if (page.size.x > static_cast<float>(largest_picture_px) || page.size.y > static_cast<float>(largest_picture_px))
    return wrong_file(setup.file,
                      fmt::format("a figure of {:g} x {:g} pixels: expected at most {} on each side; choose "
                                  "smaller panels with --size, or more columns",
                                  page.size.x, page.size.y, largest_picture_px));
  Image image{static_cast<int>(page.size.x), static_cast<int>(page.size.y), {}};
  image.rgba.resize(4 * static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height));
  paint(page, font, image);
  return write_png(image, setup.file, setup.moment(last), is_transparent ? AlphaChannel::kept : AlphaChannel::dropped);
}

}  // namespace

SnapshotRequest request_for(const ViewParams& view) {
  SnapshotRequest wanted{.vectors = {view.vector_of}, .rules = view.forces, .air = view, .fluids = view};
  if (!view.color_by.empty() && view.color_by != "material") wanted.channels.push_back(view.color_by);
  return wanted;
}

Result<WrittenFigure> write_figure(const FigureSetup& setup, const FigureOptions& options) {
  TextFont font;
  if (!options.font.empty()) {
    auto found = TextFont::find(options.font);
    if (!found) return Unexpected(found.error());
    font = std::move(*found);
  }
  const auto times = moments_of(setup, options);
  if (!times) return Unexpected(times.error());
  // A view that does not exist is reported before the run.
  for (const std::string& name : options.views)
    if (const auto camera = camera_of_view(name, setup.view, setup.camera, {}, 1); !camera)
      return Unexpected(camera.error());
  WrittenFigure out;
  auto plots = open_plots(setup, options);
  if (!plots) return Unexpected(plots.error());
  FigureMaker maker(setup, options, *plots ? &**plots : nullptr);
  maker.run(*times, out);
  const auto panels = maker.draw_panels();
  if (!panels) return Unexpected(panels.error());
  FigureStyle style{.font = font};
  style.is_transparent = setup.view.transparent;
  style.legend_theme = setup.view.legend_theme;
  style.is_light = style.is_transparent || setup.view.environment != EnvironmentKind::dark;
  style.has_scenery = !style.is_transparent && setup.view.environment != EnvironmentKind::white &&
                      setup.view.environment != EnvironmentKind::dark;
  // With a single view, the moments fill the rows of a grid. With several views, each row shows all views of one
  // moment.
  const float aspect = static_cast<float>(setup.panel.width) / static_cast<float>(setup.panel.height);
  const bool is_matrix = options.views.size() > 1 && maker.moments().size() > 1 && options.columns == 0;
  style.columns = is_matrix ? options.views.size() : figure_columns(panels->size(), options.columns, aspect);
  FigureOptions texts = options;
  texts.caption = with_time(options.caption, maker.moments().back().time_s);
  const Drawing page = lay_out(*panels, texts, style);
  if (auto written = write_page(page, font, setup, texts, maker.moments().back(), style.is_transparent); !written)
    return Unexpected(written.error());
  out.panels = panels->size();
  out.width = static_cast<int>(page.size.x);
  out.height = static_cast<int>(page.size.y);
  out.time_s = maker.moments().back().time_s;
  return out;
}

}  // namespace vw::cli

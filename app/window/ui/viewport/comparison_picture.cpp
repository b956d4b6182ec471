#include "app/window/ui/viewport/comparison_picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <glad/gl.h>

#include "app/window/results/pair_image.h"
#include "app/window/ui/widgets/theme.h"

namespace vw::ui {
namespace {

/// Fraction of the ghost colour in the displayed colour of an element.
constexpr float ghost_tint_share = 0.75F;
/// Least range of distances [m]. A smaller one would show rounding errors as a pattern.
constexpr float least_distance_range_m = 1e-6F;

/// Extends `range` by the values of the channel `view.color_by` in the systems of a snapshot that are not hidden.
void add_channel_range(const Snapshot& snapshot, const ViewParams& view, std::vector<float>& scratch, ValueRange& range,
                       bool& is_known) {
  for (const SystemSnapshot& system : snapshot.systems) {
    const auto channel = std::ranges::find(system.channels, view.color_by, &Channel::name);
    const auto info = std::ranges::find(system.available, view.color_by, &ChannelInfo::name);
    if (channel == system.channels.end() || info == system.available.end() || channel->values.empty() ||
        is_hidden(view.hidden, system.name))
      continue;
    ValueRange own = value_range(channel->values, info->is_signed, scratch);
    if (info->is_signed) own.min = -own.max;
    range = is_known ? ValueRange{std::min(range.min, own.min), std::max(range.max, own.max)} : own;
    is_known = true;
  }
}

/// Gives the slice planes of both sides the same range. Does nothing if the range is fixed. Also does nothing if lines
/// are shown, whose quantity is the speed, and the planes show another quantity.
void share_air_range(const ComparisonShow& comparison, double wall_s, SmoothRange& smooth, ViewParams& view) {
  const bool has_lines = view.streamlines > 0 || view.pathlines > 0 || view.streaklines > 0;
  if (!view.air_range_auto || (has_lines && view.quantity != "speed")) return;
  std::vector<float> values, scratch;
  for (const Snapshot* side : {&comparison.a(), &comparison.b()})
    for (const FieldSlice& slice : side->field.slices)
      values.insert(values.end(), slice.value.begin(), slice.value.end());
  if (values.empty()) return;
  const bool is_signed = comparison.b().field.is_signed;
  const ValueRange range =
      follow_range(smooth, view.field + "." + view.quantity, value_range(values, is_signed, scratch), wall_s);
  view.air_range_auto = false;
  view.air_range_max = static_cast<double>(range.max);
  view.air_range_min = is_signed ? -view.air_range_max : static_cast<double>(range.min);
}

void tint_ghost(Snapshot& snapshot) {
  for (SystemSnapshot& system : snapshot.systems) {
    for (Vec3f& color : system.palette) color += ghost_tint_share * (ghost_tint - color);
    for (Vec4f& color : system.tint) color.head<3>() += ghost_tint_share * (ghost_tint - color.head<3>());
  }
}

/// Returns the view for drawing B after `first` has drawn A: with A's range of arrows and with A's present quality.
ViewParams view_of_second(const ViewParams& shared, const Renderer& first) {
  ViewParams view = shared;
  if (view.vectors && view.vector_range_auto && first.vector_legend().range > 0) {
    view.vector_range_auto = false;
    view.vector_range = static_cast<double>(first.vector_legend().range);
  }
  if (view.quality == Quality::automatic) {
    const std::string in_force = first.quality_in_force();
    view.quality = in_force.starts_with("ultra")    ? Quality::ultra
                   : in_force.starts_with("high")   ? Quality::high
                   : in_force.starts_with("medium") ? Quality::medium
                                                    : Quality::low;
  }
  if (view.fluid_style == FluidStyle::automatic && !first.shows_surfaces()) view.fluid_style = FluidStyle::particles;
  return view;
}

/// Returns the selection if B has the selected system, otherwise an empty selection.
Selection selection_in(const Snapshot& b, const Selection& selection) {
  const bool has_selected =
      std::ranges::any_of(b.systems, [&](const SystemSnapshot& system) { return system.name == selection.system; });
  return has_selected ? selection : Selection{};
}

/// Colour of the window between two pictures.
std::array<std::uint8_t, 3> window_rgb() {
  const auto byte = [](float part) { return static_cast<std::uint8_t>(std::lround(255 * part)); };
  return {byte(palette::window.x), byte(palette::window.y), byte(palette::window.z)};
}

}  // namespace

ViewParams ComparisonPicture::shared_view(const ComparisonShow& comparison, ViewParams view, double wall_s) {
  const bool by_distance = comparison.is_together() && comparison.shows_difference;
  if (by_distance && comparison.difference().systems > 0) {
    view.color_by = pair_distance_channel;
    view.range_auto = true;
  }
  if (comparison.is_together()) share_air_range(comparison, wall_s, air_range_, view);
  if (view.color_by == "material" || !view.range_auto || !comparison.has_picture()) return view;
  std::vector<float> scratch;
  ValueRange range;
  bool is_known = false;
  for (const Snapshot* side : {&comparison.a(), &comparison.b()})
    add_channel_range(*side, view, scratch, range, is_known);
  if (!is_known) return view;
  if (by_distance) range.min = 0;
  range = follow_range(range_, view.color_by, range, wall_s);
  view.range_auto = false;
  view.range_min = static_cast<double>(range.min);
  view.range_max = static_cast<double>(by_distance ? std::max(range.max, least_distance_range_m) : range.max);
  return view;
}

Result<void> ComparisonPicture::create_renderer() {
  if (renderer_ != nullptr) return {};
  auto made = Renderer::create();
  if (!made) return Unexpected(made.error());
  renderer_ = std::move(*made);
  return {};
}

Frame ComparisonPicture::shown_frame(const ComparisonShow& comparison, const ViewParams& view, const Frame& b) {
  if (comparison.arrangement != ComparisonShow::Arrangement::ghost || view.color_by != "material") return b;
  tinted_ = *b.newest;
  tint_ghost(tinted_);
  if (b.previous == nullptr) return {nullptr, &tinted_, b.blend};
  tinted_before_ = *b.previous;
  tint_ghost(tinted_before_);
  return {&tinted_before_, &tinted_, b.blend};
}

Result<void> ComparisonPicture::draw(const ComparisonShow& comparison, const ViewParams& shared, const Renderer& first,
                                     const Camera& camera, const Selection& selection, int width, int height) {
  if (auto good = create_renderer(); !good) return good;
  const ViewParams view = view_of_second(shared, first);
  const Frame shown = shown_frame(comparison, view, {nullptr, &comparison.b(), 1});
  target_.resize(width, height);
  renderer_->draw(shown, camera, view, selection_in(*shown.newest, selection), width, height, target_.framebuffer(),
                  LegendOverlay::none);
  return {};
}

Result<Image> ComparisonPicture::image(const ComparisonShow& comparison, const ViewParams& shared, Renderer& first,
                                       const Parts& parts) {
  if (auto good = create_renderer(); !good) return Unexpected(good.error());
  const bool is_split = comparison.arrangement == ComparisonShow::Arrangement::side_by_side;
  const int width = is_split ? split_width(parts.width, parts.gap_share).picture : parts.width;
  auto a = first.draw_image(parts.a, parts.camera, shared, parts.selection, width, parts.height, parts.legends);
  if (!a) return a;
  const ViewParams view = view_of_second(shared, first);
  const Frame shown = shown_frame(comparison, view, parts.b);
  auto b = renderer_->draw_image(shown, parts.camera, view, selection_in(*shown.newest, parts.selection), width,
                                 parts.height, LegendOverlay::none);
  if (!b) return b;
  if (!font_) font_.emplace();
  Image both = is_split ? side_by_side(*a, *b, parts.width, window_rgb()) : std::move(*a);
  if (!is_split) blend_over(both, *b, 0.01 * comparison.ghost_percent);
  draw_names(both, parts.names, is_split ? parts.width - width : 0, *font_);
  return both;
}

void ComparisonPicture::release_gl() {
  renderer_.reset();
  target_.release_gl();
  tinted_ = tinted_before_ = {};
  range_ = air_range_ = {};
}

}  // namespace vw::ui

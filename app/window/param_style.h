// How a declared parameter is shown: which widget, with which format and speed, in which words. From the declaration alone, no GUI.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/parameter.h"

namespace vw {

enum class WidgetKind : std::uint8_t { checkbox, slider, log_slider, drag, choice, color, vector, text, list };

struct ParamStyle {
  WidgetKind widget = WidgetKind::drag;
  double min = 0, max = 0;   ///< of sliders and drags; a drag with min >= max is unbounded
  float drag_speed = 0.01F;  ///< change of the value per pixel
  std::string format;        ///< printf format with the unit: "%.4g m/s"
};
/// Sliders need finite bounds whose span suits the default; anything wider is dragged, with a speed that follows the present value.
[[nodiscard]] ParamStyle style_of(const ParamSpec& spec, const Value& present);

/// Unit as a person writes it: "kg/m³"; "" for none.
[[nodiscard]] std::string pretty_unit(Unit unit);
[[nodiscard]] std::string pretty_unit(std::string_view symbol);
/// "-9.81 m/s²", "on", "(0, 1, 0) m", "12 values".
[[nodiscard]] std::string pretty_value(const ParamSpec& spec, const Value& value);
/// "0 to 1 m", "at least 0 m", or "" when unbounded.
[[nodiscard]] std::string pretty_bounds(const ParamSpec& spec);
/// What the declaration says of one of its choices, where it tells of each ("single: one response, cheap; loop: ..."); "" where it does not.
[[nodiscard]] std::string choice_doc(const ParamSpec& spec, const std::string& choice);
/// What the value 0 stands for, by the doc ("0: from the density" gives "from the density"); empty where it is a number like others.
[[nodiscard]] std::string zero_doc(const ParamSpec& spec);
/// What the declaration says of an empty text or list ("empty: the first" -> "The first"); "None" where it says nothing.
[[nodiscard]] std::string empty_doc(const ParamSpec& spec);
/// "dt" -> "Time step", "color_by" -> "Colour by"; what needs no table: "voxel_size" -> "Voxel size".
[[nodiscard]] std::string pretty_name(const std::string& name);
/// "material.skin.youngs_modulus" -> "Young's modulus (skin)", "world.dt" -> "Time step".
[[nodiscard]] std::string pretty_path(const std::string& path);
/// "0.97", "0.0048": two decimals, more digits where those would say nothing.
[[nodiscard]] std::string pretty_factor(double factor);
/// True when every word of `filter` occurs in the text (case-insensitive); an empty filter matches.
[[nodiscard]] bool matches_filter(const std::string& text, const std::string& filter);

/// Colours are stored linear and edited as sRGB.
[[nodiscard]] double srgb_from_linear(double linear);
[[nodiscard]] double linear_from_srgb(double srgb);

}  // namespace vw

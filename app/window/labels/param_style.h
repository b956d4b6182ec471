// Presentation of a declared parameter: widget, format, drag speed and wording. Everything follows from the
// declaration. No GUI.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/data/parameter.h"

namespace vw {

enum class WidgetKind : std::uint8_t { checkbox, slider, log_slider, drag, choice, color, vector, text, list };

struct ParamStyle {
  WidgetKind widget = WidgetKind::drag;
  double min = 0, max = 0;   ///< range of sliders and drags; a drag with min >= max is unbounded
  float drag_speed = 0.01F;  ///< change of the value per pixel
  std::string format;        ///< printf format with the unit: "%.4g m/s"
};
/// Chooses widget and format. Sliders require finite bounds whose span suits the default; other numbers are dragged,
/// with a speed that follows the present value.
[[nodiscard]] ParamStyle style_of(const ParamSpec& spec, const Value& present);

/// Unit in typographic form: "kg/m³"; "" for none.
[[nodiscard]] std::string pretty_unit(Unit unit);
[[nodiscard]] std::string pretty_unit(std::string_view symbol);
/// "-9.81 m/s²", "on", "(0, 1, 0) m", "12 values".
[[nodiscard]] std::string pretty_value(const ParamSpec& spec, const Value& value);
/// "0 to 1 m", "at least 0 m", or "" if unbounded.
[[nodiscard]] std::string pretty_bounds(const ParamSpec& spec);
/// Description of one choice, if the parameter's doc describes each ("single: one response, cheap; loop: ...");
/// otherwise "".
[[nodiscard]] std::string choice_doc(const ParamSpec& spec, const std::string& choice);
/// Meaning of the value 0 according to the doc ("0: from the density" gives "from the density"); empty if 0 has no
/// special meaning.
[[nodiscard]] std::string zero_doc(const ParamSpec& spec);
/// Meaning of an empty text or list according to the doc ("empty: the first" gives "The first"); "None" if the doc does
/// not say.
[[nodiscard]] std::string empty_doc(const ParamSpec& spec);
/// Two decimals, or more digits for small factors: "0.97", "0.0048".
[[nodiscard]] std::string pretty_factor(double factor);
/// True if every word of `filter` occurs in the text (case-insensitive). An empty filter matches.
[[nodiscard]] bool matches_filter(const std::string& text, const std::string& filter);

/// Colours are stored as linear RGB and edited as sRGB.
[[nodiscard]] double srgb_from_linear(double linear);
[[nodiscard]] double linear_from_srgb(double srgb);

}  // namespace vw

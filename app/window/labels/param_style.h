// Presentation of a parameter in the window: widget, number format, drag speed and texts, all derived from the
// parameter's declaration. This file does not use the GUI.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/data/parameter.h"

namespace vw {

enum class WidgetKind : std::uint8_t { checkbox, slider, log_slider, drag, choice, color, vector, text, list };

struct ParamStyle {
  WidgetKind widget = WidgetKind::drag;
  double min = 0, max = 0;   ///< range of a slider or drag field; a drag field with min >= max is unbounded
  float drag_speed = 0.01F;  ///< change of the value per pixel
  std::string format;        ///< printf format with the unit, such as "%.4g m/s"
};
/// Chooses the widget and the format. A number has a slider if both bounds are finite and a slider can set values of
/// the size of the default. Other numbers have a drag field. The drag speed is proportional to the present value or to
/// the default, whichever is larger.
[[nodiscard]] ParamStyle style_of(const ParamSpec& spec, const Value& present);

/// Unit in typographic form, such as "kg/m³". Empty if there is no unit.
[[nodiscard]] std::string pretty_unit(Unit unit);
[[nodiscard]] std::string pretty_unit(std::string_view symbol);
/// Text for a value, with the unit. Examples are "-9.81 m/s²", "on", "(0, 1, 0) m" and "12 values".
[[nodiscard]] std::string pretty_value(const ParamSpec& spec, const Value& value);
/// Text for the bounds, such as "0 to 1 m" or "at least 0 m". Empty if the parameter is unbounded.
[[nodiscard]] std::string pretty_bounds(const ParamSpec& spec);
/// Description of one choice, taken from the doc of the parameter. The doc lists choices as in "single: one response,
/// cheap; loop: ...". Empty if the doc does not list the choice.
[[nodiscard]] std::string choice_doc(const ParamSpec& spec, const std::string& choice);
/// Meaning of the value 0, taken from the doc of the parameter. "0 means no limit." gives "no limit". Empty if the
/// doc does not mention 0, or describes it by a sentence ("0 means that ...").
[[nodiscard]] std::string zero_doc(const ParamSpec& spec);
/// Meaning of an empty text or list, taken from the doc of the parameter. "Empty means all systems." gives "All
/// systems". If the doc does not state the meaning, the result is "None".
[[nodiscard]] std::string empty_doc(const ParamSpec& spec);
/// Text for a factor. It has two decimals ("0.97"), or two significant digits if the factor is below 0.1 ("0.0048").
[[nodiscard]] std::string pretty_factor(double factor);
/// True if every word of `filter` occurs in the text (case-insensitive). An empty filter matches every text.
[[nodiscard]] bool matches_filter(const std::string& text, const std::string& filter);

/// Conversion between a component of linear RGB and of sRGB, both in [0, 1]. Colours are stored as linear RGB and
/// edited as sRGB.
[[nodiscard]] double srgb_from_linear(double linear);
[[nodiscard]] double linear_from_srgb(double srgb);

}  // namespace vw

// Labels and descriptions of measured quantities (channels of elements and totals of systems), and labels of the
// choices of parameters, and texts of times. This file does not use the GUI.
#pragma once

#include <string>
#include <string_view>

namespace vw {

/// Label of a quantity in the window. "strain_von_mises" gives "Strain (von Mises)". If the table has no label for the
/// name, spelt_out() (sim/base/data/parameter.h) derives it.
[[nodiscard]] std::string quantity_label(std::string_view name);
/// Label of a choice of a parameter. "kinetic_energy" gives "Kinetic energy", "rms" gives "RMS". Axes ("x", "xy") keep
/// their names.
[[nodiscard]] std::string choice_label(std::string_view choice);
/// Description of a quantity in one sentence. Null if there is none.
[[nodiscard]] const char* quantity_doc(std::string_view name);
/// Text of a time of the scene [s]: "0.250 s". The text has enough decimals for steps of `step_s` [s], at least three.
[[nodiscard]] std::string clock_text(double time_s, double step_s);

}  // namespace vw

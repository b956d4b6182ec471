// Labels and descriptions of measured quantities: channels of elements and totals of systems. No GUI.
#pragma once

#include <string>
#include <string_view>

namespace vw {

/// "strain_von_mises" gives "Strain (von Mises)". A name without a table entry is spelt out.
[[nodiscard]] std::string quantity_label(std::string_view name);
/// One sentence; null if there is none.
[[nodiscard]] const char* quantity_doc(std::string_view name);

}  // namespace vw

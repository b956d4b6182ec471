// Samples of the air on a box of places, to a file: NumPy (.npy) or VTK ImageData (.vti). Written plane by plane, so memory does not grow with the
// box.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "sim/world/air_quantity.h"
#include "sim/world/flow_lines.h"

namespace vw::cli {

/// Places in a box, its borders included; one place along an axis lies in the middle.
struct AirGrid {
  std::array<std::size_t, 3> count{64, 64, 64};
  Box3 box;
  [[nodiscard]] std::size_t size() const { return count[0] * count[1] * count[2]; }
  [[nodiscard]] Vec3 spacing() const;  ///< [m]; 0 along an axis of one place
  [[nodiscard]] Vec3 first() const;
};

/// What is sampled: of the field `name`, or of all.
struct AirOrder {
  AirGrid grid;
  std::string name;
  std::vector<const AirQuantity*> quantities;
  std::vector<double> times;  ///< [s]
};

/// Told the share done; false stops, and no file is left.
using KeepGoing = std::function<bool(double share)>;

/// NumPy format 1.0: float32, C order, shape (nz, ny, nx), with a last axis of 3 for a vector and a first one for several times. One quantity.
[[nodiscard]] Result<void> write_npy(const std::string& path, const FieldSet& fields, const AirOrder& order, const KeepGoing& keep_going);
/// XML ImageData with raw appended data, one array of point data a quantity, at one time.
[[nodiscard]] Result<void> write_vti(const std::string& path, const FieldSet& fields, const AirOrder& order, double time,
                                     const KeepGoing& keep_going);
/// The files of a series of `count` times whose path is NAME.vti: NAME_0000.vti, ... and, last, NAME.pvd, ParaView's list of them with their times.
[[nodiscard]] std::vector<std::string> vti_series_files(const std::string& path, std::size_t count);
/// Writes vti_series_files().
[[nodiscard]] Result<void> write_vti_series(const std::string& path, const FieldSet& fields, const AirOrder& order, const KeepGoing& keep_going);

/// What KeepGoing's false becomes.
[[nodiscard]] bool was_stopped(const Error& error);

}  // namespace vw::cli

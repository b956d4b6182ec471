// Writes samples of the air on a regular grid to a file: NumPy (.npy) or VTK ImageData (.vti). The output is written
// plane by plane, so memory use does not grow with the number of planes.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "sim/world/air_quantity.h"
#include "sim/world/flow_lines.h"

namespace vw::cli {

/// Grid points in a box, including its faces. With a single point along an axis, the point is in the middle.
struct AirGrid {
  std::array<std::size_t, 3> count{64, 64, 64};
  Box3 box;
  [[nodiscard]] std::size_t size() const { return count[0] * count[1] * count[2]; }
  [[nodiscard]] Vec3 spacing() const;  ///< distance of the points [m]; 0 along an axis with one point
  [[nodiscard]] Vec3 first() const;
};

/// Samples to write: quantities of the field `name`, or of the sum of all fields if it is empty.
struct SamplingRequest {
  AirGrid grid;
  std::string name;
  std::vector<const AirQuantity*> quantities;
  std::vector<double> times;  ///< [s]
};

/// Called with the fraction completed. If it returns false, writing stops and no file is left.
using KeepGoing = std::function<bool(double share)>;

/// NumPy format 1.0: float32, C order, shape (nz, ny, nx), with an additional last axis of 3 for a vector and an
/// additional first axis for several times. Supports one quantity.
[[nodiscard]] Result<void> write_npy(const std::string& path, const FieldSet& fields, const SamplingRequest& order,
                                     const KeepGoing& keep_going);
/// XML ImageData with raw appended data: one array of point data per quantity, at one time.
[[nodiscard]] Result<void> write_vti(const std::string& path, const FieldSet& fields, const SamplingRequest& order,
                                     double time, const KeepGoing& keep_going);
/// Files of a series of `count` times for the path NAME.vti: NAME_0000.vti, ... and last NAME.pvd, ParaView's list of
/// them with their times.
[[nodiscard]] std::vector<std::string> vti_series_files(const std::string& path, std::size_t count);
/// Writes the files of vti_series_files().
[[nodiscard]] Result<void> write_vti_series(const std::string& path, const FieldSet& fields,
                                            const SamplingRequest& order, const KeepGoing& keep_going);

/// Whether an error means that KeepGoing returned false.
[[nodiscard]] bool was_stopped(const Error& error);

}  // namespace vw::cli

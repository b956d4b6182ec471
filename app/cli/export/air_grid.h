// Writes samples of fields on a regular grid to a NumPy (.npy) or VTK ImageData (.vti) file. The file is written one
// grid plane of constant z at a time, so that memory use does not depend on the number of planes.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "sim/api/analysis/fields.h"

namespace vw::cli {

/// Regular grid of points in a box, including points on the faces of the box. If an axis has a single point, the point
/// is in the middle.
struct AirGrid {
  std::array<std::size_t, 3> count{64, 64, 64};
  Eigen::AlignedBox3d box;
  [[nodiscard]] std::size_t size() const { return count[0] * count[1] * count[2]; }
  [[nodiscard]] Vec3 spacing() const;  ///< distance between points [m]; 0 along an axis with a single point
  [[nodiscard]] Vec3 first() const;
};

/// Samples to write: quantities of the field `name` or, if `name` is empty, of the sum of all fields.
struct SamplingRequest {
  AirGrid grid;
  std::string name;
  std::vector<const AirQuantity*> quantities;
  std::vector<double> times;  ///< times of the samples [s]
};

/// Function that the writers call with the completed fraction of the work. If the function returns false, writing stops
/// and the file is removed.
using KeepGoing = std::function<bool(double share)>;

/// Writes NumPy format 1.0: float32, C order, shape (nz, ny, nx). For a vector, the shape has an additional last axis
/// of 3. For several times, it has an additional first axis. `order` must contain one quantity.
[[nodiscard]] Result<void> write_npy(const std::string& path, api::Fields& fields, const SamplingRequest& order,
                                     const KeepGoing& keep_going);
/// Writes XML ImageData with raw appended data. Each quantity is one array of point data. All samples are taken at
/// `time` [s].
[[nodiscard]] Result<void> write_vti(const std::string& path, api::Fields& fields, const SamplingRequest& order,
                                     double time, const KeepGoing& keep_going);
/// Returns the names of the files of a series of `count` times. For the path NAME.vti, the names are NAME_0000.vti and
/// so on, followed by NAME.pvd. The file NAME.pvd lists the other files and their times for ParaView.
[[nodiscard]] std::vector<std::string> vti_series_files(const std::string& path, std::size_t count);
/// Writes the files of vti_series_files().
[[nodiscard]] Result<void> write_vti_series(const std::string& path, api::Fields& fields, const SamplingRequest& order,
                                            const KeepGoing& keep_going);

/// Returns whether the error occurred because a KeepGoing function returned false.
[[nodiscard]] bool was_stopped(const Error& error);

}  // namespace vw::cli

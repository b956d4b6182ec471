// Writers of frames over time, one for each file format. A writer receives the frames in the order of time. All files
// appear whole: a file is written under a temporary name and then renamed.
//
// Formats of one file (.vtkhdf, .npz, .glb) appear at the end. Formats of one file for each frame (.pvd, .ply, .obj,
// .vdb) appear frame by frame, and their index names only whole frames. Point caches (.pc2) appear at the end. If a
// writer is destroyed without finish(), files that are not whole are removed, and whole frames stay.
//
// A writer must be used by one thread at a time.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/export/frame.h"

namespace vw {

/// Camera of the exported scene.
struct ExportCamera {
  Vec3 eye{0.6, 0.4, 0.8}, target{0, 0.1, 0};  ///< [m]
  double fov_deg = 40;                         ///< vertical field of view
};

struct ExportOptions {
  std::string title;    ///< title of the scene
  double every_s = 0;   ///< simulated time between two frames [s]
  ExportCamera camera;  ///< for formats with a camera
  FrameOptions frame;   ///< contents of the frames
};

class ExportWriter {
 public:
  virtual ~ExportWriter() = default;
  /// Writes a frame. `frame` was made from `snapshot`. After an error, only finish() or the destructor may be called.
  [[nodiscard]] virtual Result<void> add(const Snapshot& snapshot, const ExportFrame& frame) = 0;
  /// Completes and publishes all files. Call this function at most once, also after an interrupt. Without a frame, the
  /// result has no frame, or there is no file if the format needs one.
  [[nodiscard]] virtual Result<void> finish() = 0;
  /// Facts for the user about what the format could not hold, one sentence each.
  [[nodiscard]] virtual std::vector<std::string> notes() const { return {}; }
};

/// A format for frames over time.
struct ExportFormat {
  std::string ending;    ///< ".pvd"
  std::string content;   ///< one phrase: "series of VTK files for ParaView"
  bool is_built = true;  ///< whether this build has the library that the format needs
  /// Opens a writer for the file `path`, with the ending of the format.
  Result<std::unique_ptr<ExportWriter>> (*open)(const std::string& path, const ExportOptions& options) = nullptr;
};

/// All formats. The names of formats without their library are listed, too.
[[nodiscard]] std::span<const ExportFormat> export_formats();
/// The format with the ending of `path`, or null. Upper and lower case do not differ.
[[nodiscard]] const ExportFormat* export_format_of(const std::string& path);
/// Opens a writer for `path`. Returns an error for an unknown ending, for a format whose library this build lacks, and
/// if the first file or the folder cannot be created.
[[nodiscard]] Result<std::unique_ptr<ExportWriter>> open_export(const std::string& path, const ExportOptions& options);

/// Folder of the files of a series: `path` without its ending.
[[nodiscard]] std::string series_folder(const std::string& path);
/// Creates the folder of a series, if it does not exist.
[[nodiscard]] Result<void> make_series_folder(const std::string& path);
/// Name of the file of a frame in the folder: "pool_000012.ply".
[[nodiscard]] std::string frame_file(const std::string& piece, std::size_t frame, const std::string& ending);

/// Writer of each format, for the table of formats.
using OpenedExport = Result<std::unique_ptr<ExportWriter>>;
[[nodiscard]] OpenedExport open_pvd(const std::string& path, const ExportOptions& options);
[[nodiscard]] OpenedExport open_vtkhdf(const std::string& path, const ExportOptions& options);
[[nodiscard]] OpenedExport open_npz(const std::string& path, const ExportOptions& options);
[[nodiscard]] OpenedExport open_ply(const std::string& path, const ExportOptions& options);
[[nodiscard]] OpenedExport open_obj(const std::string& path, const ExportOptions& options);
[[nodiscard]] OpenedExport open_pc2(const std::string& path, const ExportOptions& options);
[[nodiscard]] OpenedExport open_glb(const std::string& path, const ExportOptions& options);
[[nodiscard]] OpenedExport open_vdb(const std::string& path, const ExportOptions& options);

}  // namespace vw

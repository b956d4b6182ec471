// Writers of frames, one for each file format. A writer receives the frames in order of time. A file never appears
// incomplete: it is written under a temporary name and then renamed.
//
// The file of a single-file format (.vtkhdf, .npz, .glb) and the point caches (.pc2) appear at the end. Formats with a
// file for each frame (.pvd, .ply, .obj, .vdb) appear frame by frame, and their index refers only to complete frames.
// If a writer is destroyed without finish(), incomplete files are removed and complete frames are kept.
//
// A writer may be used by only one thread at a time.
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
  Vec3 eye{0.6, 0.4, 0.8}, target{0, 0.1, 0};  ///< Both in [m].
  double fov_deg = 40;                         ///< Vertical field of view [degrees].
};

struct ExportOptions {
  std::string title;    ///< Title of the scene.
  double every_s = 0;   ///< Simulated time between two frames [s].
  ExportCamera camera;  ///< Only formats that have a camera use it.
  FrameOptions frame;   ///< Contents of the frames.
};

class ExportWriter {
 public:
  virtual ~ExportWriter() = default;
  /// Writes a frame that was created from `snapshot`. After an error, only finish() or the destructor may be called.
  [[nodiscard]] virtual Result<void> add(const Snapshot& snapshot, const ExportFrame& frame) = 0;
  /// Completes all files and gives them their final names. Must be called at most once, including after an interrupt.
  /// If no frame was added, the result is a file without frames, or no file if the format does not permit that.
  [[nodiscard]] virtual Result<void> finish() = 0;
  /// Returns one sentence for the user about each kind of data that the format could not store.
  [[nodiscard]] virtual std::vector<std::string> notes() const { return {}; }
};

/// A file format for frames.
struct ExportFormat {
  std::string ending;    ///< File name ending, such as ".pvd".
  std::string content;   ///< A phrase, such as "series of VTK files for ParaView".
  bool is_built = true;  ///< Whether this build has the library that the format needs.
  /// Opens a writer for the file `path`, which must have the ending of this format.
  Result<std::unique_ptr<ExportWriter>> (*open)(const std::string& path, const ExportOptions& options) = nullptr;
};

/// Returns all formats, including those whose library this build lacks.
[[nodiscard]] std::span<const ExportFormat> export_formats();
/// Returns the format with the ending of `path`, or null. Upper and lower case count as equal.
[[nodiscard]] const ExportFormat* export_format_of(const std::string& path);
/// Opens a writer for `path`. Returns an error if the ending is unknown, if this build lacks the library of the format,
/// or if the first file or the folder cannot be created.
[[nodiscard]] Result<std::unique_ptr<ExportWriter>> open_export(const std::string& path, const ExportOptions& options);

/// Returns the folder of the files of a series: `path` without its ending.
[[nodiscard]] std::string series_folder(const std::string& path);
/// Creates the folder of a series, if it does not exist.
[[nodiscard]] Result<void> make_series_folder(const std::string& path);
/// Returns the name of a frame's file in the folder, for example "pool_000012.ply".
[[nodiscard]] std::string frame_file(const std::string& piece, std::size_t frame, const std::string& ending);

/// Functions that open the writers, one for each format. They are used by the table of formats.
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

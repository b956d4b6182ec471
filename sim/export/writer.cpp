#include "sim/export/writer.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include "sim/base/text.h"

namespace vw {
namespace {

#ifdef VOXWAKE_HAVE_HDF5
constexpr bool has_hdf5 = true;
#else
constexpr bool has_hdf5 = false;
#endif
#ifdef VOXWAKE_HAVE_OPENVDB
constexpr bool has_openvdb = true;
#else
constexpr bool has_openvdb = false;
#endif

}  // namespace

std::span<const ExportFormat> export_formats() {
  static const std::vector<ExportFormat> all{
      {".pvd", "series of VTK files for ParaView", true, open_pvd},
      {".vtkhdf", "one VTKHDF file for ParaView 5.12 and later", has_hdf5, open_vtkhdf},
      {".npz", "arrays of all frames for NumPy", true, open_npz},
      {".ply", "a PLY file of each system, surface and frame", true, open_ply},
      {".obj", "an OBJ file of each surface and frame", true, open_obj},
      {".pc2", "point caches of voxel bodies beside OBJ files", true, open_pc2},
      {".glb", "glTF 2.0 with animated rigid bodies", true, open_glb},
      {".vdb", "OpenVDB volumes of particles, fluids and wind", has_openvdb, open_vdb},
  };
  return all;
}

const ExportFormat* export_format_of(const std::string& path) {
  const std::string ending = lowercase(std::filesystem::path(path).extension().string());
  const auto formats = export_formats();
  const auto found = std::ranges::find(formats, ending, &ExportFormat::ending);
  return found == formats.end() ? nullptr : &*found;
}

Result<std::unique_ptr<ExportWriter>> open_export(const std::string& path, const ExportOptions& options) {
  const ExportFormat* format = export_format_of(path);
  if (format == nullptr) {
    std::string endings;
    for (const ExportFormat& one : export_formats()) endings += (endings.empty() ? "" : ", ") + one.ending;
    return wrong_file(path, "must end in one of " + endings);
  }
  if (!format->is_built)
    return wrong_file(path,
                      fmt::format("this build cannot write {0}: the library for {0} was not found when it was built",
                                  format->ending));
  return format->open(path, options);
}

std::string series_folder(const std::string& path) { return std::filesystem::path(path).replace_extension().string(); }

Result<void> make_series_folder(const std::string& path) {
  const std::string folder = series_folder(path);
  std::error_code code, unknown;
  std::filesystem::create_directory(folder, code);
  if (!std::filesystem::is_directory(folder, unknown))
    return wrong_file(folder,
                      "the folder cannot be created: " + (code ? code.message() : std::string(std::strerror(EEXIST))));
  return {};
}

std::string frame_file(const std::string& piece, std::size_t frame, const std::string& ending) {
  return fmt::format("{}_{:06}{}", piece, frame, ending);
}

}  // namespace vw

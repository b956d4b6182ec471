// File lists, file extensions and default paths for the file browser. No GUI.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace vw {

struct FileEntry {
  std::string name;
  bool folder = false;
  std::uintmax_t bytes = 0;
};

/// Subfolders of a folder, then the files that have one of the extensions (such as ".toml", case-insensitive). Both
/// groups are sorted by name. Hidden entries are omitted. The list is empty if the folder cannot be read.
[[nodiscard]] std::vector<FileEntry> list_folder(const std::string& folder, const std::vector<std::string>& extensions);
/// Extensions of the files that can be opened as scenes.
[[nodiscard]] const std::vector<std::string>& scene_extensions();
[[nodiscard]] bool has_scene_extension(const std::string& path);
/// Extensions of the meshes that can be imported as bodies.
[[nodiscard]] const std::vector<std::string>& mesh_extensions();
[[nodiscard]] bool has_mesh_extension(const std::string& path);
/// File extensions that a sentence mentions. "must name heights (.png, .txt)" gives ".png" and ".txt".
[[nodiscard]] std::vector<std::string> extensions_in(const std::string& sentence);
/// Path of a new file whose name contains the local time, such as "<folder>/<stem>-20260314-150926<extension>". If that
/// file exists, a number is inserted before the extension.
[[nodiscard]] std::string dated_name(const std::string& folder, const std::string& stem, const std::string& extension);
/// Replaces a leading "~" by the user's home folder.
[[nodiscard]] std::string in_home(const std::string& path);
/// Default folder for captures: the folder `kind` ("Pictures" or "Videos") in the user's home folder if it exists, else
/// the working directory.
[[nodiscard]] std::string capture_folder(const std::string& kind);

}  // namespace vw

// File lists, file extensions and default paths for the file browser. This file does not use the GUI.
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

/// Returns the subfolders of a folder, then the files that have one of the extensions (such as ".toml",
/// case-insensitive). Both groups are sorted by name. Hidden entries are omitted. The list is empty if the folder
/// cannot be read.
[[nodiscard]] std::vector<FileEntry> list_folder(const std::string& folder, const std::vector<std::string>& extensions);
/// Extensions of the files that can be opened as scenes.
[[nodiscard]] const std::vector<std::string>& scene_extensions();
[[nodiscard]] bool has_scene_extension(const std::string& path);
/// Extensions of the meshes that can be imported as bodies.
[[nodiscard]] const std::vector<std::string>& mesh_extensions();
[[nodiscard]] bool has_mesh_extension(const std::string& path);
/// Extensions of saved states of runs.
[[nodiscard]] const std::vector<std::string>& state_extensions();
[[nodiscard]] bool has_state_extension(const std::string& path);
/// Extension of sessions, and extensions of all files that open in the window: scenes, sessions, pictures and videos.
[[nodiscard]] const std::vector<std::string>& session_extensions();
[[nodiscard]] bool has_session_extension(const std::string& path);
[[nodiscard]] const std::vector<std::string>& openable_extensions();
/// Returns the file extensions that a sentence mentions. "must name heights (.png, .txt)" gives ".png" and ".txt".
[[nodiscard]] std::vector<std::string> extensions_in(const std::string& sentence);
/// Text for a size, such as "3 kB".
[[nodiscard]] std::string pretty_bytes(std::uintmax_t bytes);
/// Returns the path of a new file whose name contains the local time, such as
/// "<folder>/<stem>-20260314-150926<extension>". If that file exists, a number is inserted before the extension.
[[nodiscard]] std::string dated_name(const std::string& folder, const std::string& stem, const std::string& extension);
/// Replaces a leading "~" by the user's home folder.
[[nodiscard]] std::string in_home(const std::string& path);
/// Returns the default folder for new files: the folder `kind` ("Pictures", "Videos" or "Documents") in the user's home
/// folder if it exists, else the working directory.
[[nodiscard]] std::string capture_folder(const std::string& kind);

}  // namespace vw

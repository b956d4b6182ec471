// Folders that the system provides for a user's files. folders_posix.cpp and folders_windows.cpp implement these
// functions. Paths are UTF-8 and may not exist yet. A result is empty if the system provides no such folder.
#pragma once

#include <string>

namespace vw {

/// Returns the home folder of the user.
[[nodiscard]] std::string home_folder();
/// Returns the folder of the files that are installed with the program, such as the packaged scenes.
[[nodiscard]] std::string shared_folder();
/// Returns the folder of Voxwake's settings.
[[nodiscard]] std::string config_folder();
/// Returns the folder of files of Voxwake that can be created again.
[[nodiscard]] std::string cache_folder();
/// Returns the folder of files of Voxwake that a later start needs, for example unsaved changes.
[[nodiscard]] std::string state_folder();
/// Creates a folder for temporary files that only this user can read. Its name begins with `prefix`. The caller must
/// remove it. Returns an empty text if it cannot be created.
[[nodiscard]] std::string create_temporary_folder(const std::string& prefix);

}  // namespace vw

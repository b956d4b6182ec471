// Autosave: while a scene has unsaved edits, a copy of the scene is kept in the user's state folder. If the program
// crashes, the copy remains, and the next window offers to restore it. Each running window has its own file, with a
// lock that ends with the process (file_lock.h). This file does not use the GUI.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "app/window/background.h"
#include "app/window/document/file_lock.h"
#include "sim/api/saved_session.h"
#include "sim/base/data/node.h"
#include "sim/base/error.h"

namespace vw {

/// Folder of the copies: $XDG_STATE_HOME/voxwake/autosave, or ~/.local/state/voxwake/autosave if that variable is not
/// set. Empty if neither $XDG_STATE_HOME nor $HOME is set.
[[nodiscard]] std::string autosave_folder();

/// Extension of recordings of sessions (api::SessionFacts).
inline constexpr const char* recording_extension = ".vwj";
/// Facts about a copy. They are stored in comments at the beginning of its file.
struct AutosaveFacts {
  std::string path;          ///< file of the scene; empty for a new scene without a file
  std::int64_t saved_s = 0;  ///< time of the copy, in seconds since 1970
  std::int64_t process = 0;  ///< id of the process that wrote the copy
};
/// Text of a copy: comments with the facts, then the scene. The text is a valid scene file.
[[nodiscard]] std::string autosave_text(const Node& scene, const AutosaveFacts& facts);
/// Reads the facts from the text of a copy. No value if the text is not a copy.
[[nodiscard]] std::optional<AutosaveFacts> autosave_facts(const std::string& text);

/// A copy of a scene or a session recording that an ended process has left behind. While this object exists, other
/// windows do not offer the file.
struct LeftCopy {
  std::string file;
  AutosaveFacts facts;
  FileLock lock;
  std::optional<api::SessionFacts> session = {};  ///< facts about a recording; none for a copy of a scene
};
/// Copies and recordings in the folder whose processes no longer run, newest first. Recordings that are shorter than a
/// second and contain no command are deleted.
[[nodiscard]] std::vector<LeftCopy> left_copies(const std::string& folder);
/// Deletes the file and its lock file.
void discard(LeftCopy copy);

/// A file in the folder of the copies, locked by this process. The destructor deletes the file.
class OwnFile {
 public:
  /// Chooses a name that neither another window nor a LeftCopy has. Returns nothing if the folder cannot be used.
  [[nodiscard]] static std::unique_ptr<OwnFile> choose(const std::string& folder, const std::string& extension);
  ~OwnFile();
  OwnFile(const OwnFile&) = delete;
  OwnFile& operator=(const OwnFile&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  OwnFile(std::string path, FileLock lock) : path_(std::move(path)), lock_(std::move(lock)) {}
  std::string path_;
  FileLock lock_;
};

/// The copy of this window's scene. Use only on the drawing thread. Files are written and deleted by background jobs,
/// in the order of the calls.
class Autosave {
 public:
  /// Longest time for which an edit exists only in memory [s].
  static constexpr double interval_s = 60;

  explicit Autosave(std::string folder);
  /// Leaves the copy on the disk. Only remove() deletes the copy.
  ~Autosave();

  /// Begins the autosave of a scene that was opened at the wall time `wall_s` [s]. Deletes the copy of the previous
  /// scene.
  void begin(double wall_s, Background& background);
  /// Makes the copy from which the open scene was restored the copy of this window, until write() replaces it.
  void adopt(LeftCopy copy, std::uint64_t revision);
  /// Whether the scene with this revision has edits that must be written now.
  [[nodiscard]] bool is_due(std::uint64_t revision, double wall_s) const;
  /// Writes a copy of `scene`, whose file is `path`, in the background.
  void write(Node scene, const std::string& path, std::uint64_t revision, double wall_s, Background& background);
  /// Deletes the copy, if there is one.
  void remove(Background& background);
  /// Error of the last write. Each error is returned once. The edits are then due again after interval_s.
  [[nodiscard]] std::optional<Error> take_error();
  /// File of the copy; empty before the first write.
  [[nodiscard]] const std::string& file() const { return file_; }

 private:
  /// State shared with the background jobs.
  struct Jobs {
    std::mutex mutex;
    std::uint64_t done = 0;  ///< number of the newest job that has started
    std::optional<Error> error;
  };
  bool choose_file();

  std::string folder_, file_;
  std::optional<FileLock> lock_;
  std::shared_ptr<Jobs> jobs_ = std::make_shared<Jobs>();
  std::uint64_t requested_ = 0;            ///< number of the newest job
  bool exists_ = false;                    ///< whether there is a copy once all jobs are done
  std::optional<std::uint64_t> revision_;  ///< revision of the scene in the copy
  double last_s_ = 0;                      ///< wall time of the last write, or of opening the scene [s]
};

}  // namespace vw

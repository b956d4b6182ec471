// Records a session in a file while it runs, so that a crash loses at most the last half second.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/system/file_descriptor.h"
#include "sim/history/session_file.h"

namespace vw {

/// Files are written on the recorder's own thread. Functions may be called on any thread, but update() must always be
/// called on the same one.
class SessionRecorder {
 public:
  /// Begins the file `path` and replaces an existing one. Keyframes are written as long as the file has at most
  /// `limit_bytes`; the fuller the file is, the further apart they are.
  [[nodiscard]] static Result<std::unique_ptr<SessionRecorder>> begin(const std::string& path,
                                                                      const SessionStart& start,
                                                                      std::uint64_t limit_bytes);
  /// Writes the waiting records, and marks the file as that of a session that ended normally.
  ~SessionRecorder();
  SessionRecorder(const SessionRecorder&) = delete;
  SessionRecorder& operator=(const SessionRecorder&) = delete;

  /// Records what has changed since the last call.
  void update(const BranchTree& tree, const RunMoment& present);
  void set_display(std::string display);
  /// Writes a keyframe if the last written keyframe of its branch is far enough away (interval_s()).
  void add_keyframe(const KeyframeInfo& keyframe, std::span<const std::byte> packed);
  /// Copies keyframes of the session file that was opened, in the background, as far as the size limit allows.
  void copy_keyframes(std::shared_ptr<const SessionKeyframes> file, std::vector<SavedKeyframe> keyframes);
  /// Returns the reason why the file could not be written, if writing has failed. Each error is returned only once.
  [[nodiscard]] std::optional<Error> take_error();
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  SessionRecorder(std::string path, FileDescriptor file, std::uint64_t limit_bytes);
  void work();
  void write(const std::string& bytes);
  void put(std::string bytes);
  /// Returns whether the keyframe is to be written. If so, its time is stored in `last_s`.
  [[nodiscard]] bool is_wanted(const KeyframeInfo& keyframe, std::map<BranchNumber, double>& last_s);
  [[nodiscard]] double interval_s() const;

  const std::string path_;
  const std::uint64_t limit_;
  FileDescriptor file_;  ///< used by the recorder's thread
  WrittenTree written_;
  std::string last_present_;

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::string> waiting_;
  std::uint64_t waiting_bytes_ = 0, bytes_ = 0;  ///< bytes of waiting records and of the file
  /// Per branch, time [s] of the last keyframe that was written during the run, and of the last one that was copied.
  std::map<BranchNumber, double> last_written_s_, last_copied_s_;
  std::shared_ptr<const SessionKeyframes> copied_file_;
  std::vector<SavedKeyframe> copied_;  ///< keyframes that are still to be copied, in reverse order
  std::optional<Error> error_;
  bool has_failed_ = false, stop_ = false;
  std::thread worker_;
};

}  // namespace vw

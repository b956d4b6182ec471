// Records a session in a file while it runs, so that at most the last half second is lost in a crash.
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

/// The file is written on the recorder's own thread. Functions may be called on any thread, but update() must always be
/// called on the same thread.
class SessionRecorder {
 public:
  /// Starts the file `path` and replaces an existing file. Keyframes are written while the file has at most
  /// `limit_bytes`. The fuller the file is, the farther apart they are.
  [[nodiscard]] static Result<std::unique_ptr<SessionRecorder>> begin(const std::string& path,
                                                                      const SessionStart& start,
                                                                      std::uint64_t limit_bytes);
  /// Writes the waiting records, and marks the session in the file as normally ended.
  ~SessionRecorder();
  SessionRecorder(const SessionRecorder&) = delete;
  SessionRecorder& operator=(const SessionRecorder&) = delete;

  /// Records the changes since the last call.
  void update(const BranchTree& tree, const RunMoment& present);
  void set_display(std::string display);
  /// Writes a keyframe if it is far enough from the last written keyframe of its branch (interval_s()).
  void add_keyframe(const KeyframeInfo& keyframe, std::span<const std::byte> packed);
  /// Copies keyframes of the session file that was opened, in the background, up to the size limit.
  void copy_keyframes(std::shared_ptr<const SessionKeyframes> file, std::vector<SavedKeyframe> keyframes);
  /// Returns the reason why the file could not be written, if writing has failed. Each error is returned only once.
  [[nodiscard]] std::optional<Error> take_error();
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  SessionRecorder(std::string path, FileDescriptor file, std::uint64_t limit_bytes);
  void work();
  void write(const std::string& bytes);
  void put(std::string bytes);
  /// Returns whether the keyframe must be written. If so, stores its time in `last_s`.
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
  /// Time of the last keyframe of each branch that was written during the run, and of the last keyframe that was copied
  /// [s].
  std::map<BranchNumber, double> last_written_s_, last_copied_s_;
  std::shared_ptr<const SessionKeyframes> copied_file_;
  std::vector<SavedKeyframe> copied_;  ///< keyframes that remain to be copied, in reverse order
  std::optional<Error> error_;
  bool has_failed_ = false, stop_ = false;
  std::thread worker_;
};

}  // namespace vw

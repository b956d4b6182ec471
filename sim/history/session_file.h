// Session files: all branches of a session, with keyframes from which any moment can be computed quickly. A file is a
// sequence of records that are only appended. If the writer was killed, the file is therefore complete up to its last
// intact record (docs/session-format.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/system/file_descriptor.h"
#include "sim/history/branch_tree.h"
#include "sim/history/keyframe_info.h"
#include "sim/world/state/journal.h"
#include "sim/world/world.h"

namespace vw {

/// Data from which the first moment of the tree can be computed.
struct SessionStart {
  /// Build and scene, and the commands and hashes before the first moment of the tree.
  Journal journal;
  std::shared_ptr<const Checkpoint> checkpoint;  ///< state from which a resumed session began, or null
  std::map<std::string, std::string> sources;    ///< hash of each file that the scene names (source_hashes())
};

/// A keyframe in a session file.
struct SavedKeyframe {
  KeyframeInfo keyframe;
  std::uint64_t offset = 0, size = 0;  ///< position and size of the keyframe's data in the file [bytes]
  std::uint64_t content_hash = 0;      ///< XXH3 hash of the content
};

/// Keyframes outside a KeyframeStore, which the store reads on demand: those of a session file, or those of the history
/// of another run. The functions may be called on several threads.
class KeyframeSource {
 public:
  virtual ~KeyframeSource() = default;
  /// Replaces `packed` by the packed state of a keyframe (packed_state.h) and returns its source. Returns an error if
  /// the data are damaged or the keyframe no longer exists.
  [[nodiscard]] virtual Result<StateSource> read_saved(const SavedKeyframe& keyframe,
                                                       std::vector<std::byte>& packed) const = 0;
};

/// An open session file, from which keyframes are read. The functions may be called on several threads.
class SessionKeyframes : public KeyframeSource {
 public:
  explicit SessionKeyframes(FileDescriptor file) : file_(std::move(file)) {}
  /// Replaces `packed` by the packed state of a keyframe (packed_state.h). Returns an error if the data are damaged.
  [[nodiscard]] Result<void> read(const SavedKeyframe& keyframe, std::vector<std::byte>& packed) const;
  [[nodiscard]] Result<StateSource> read_saved(const SavedKeyframe& keyframe,
                                               std::vector<std::byte>& packed) const override;

 private:
  FileDescriptor file_;
};

/// Contents of a session file.
struct SessionContents {
  SessionStart start;
  BranchTree::Stored tree;  ///< not checked; see BranchTree::restore()
  RunMoment present;        ///< moment that was shown last
  std::string display;      ///< scene in TOML that contains the view and the plots; empty if unknown
  std::vector<SavedKeyframe> keyframes;
  std::shared_ptr<const SessionKeyframes> file;
  bool is_complete = false;         ///< whether the session ended normally
  std::uint64_t damaged_bytes = 0;  ///< number of bytes at the end that could not be read
};

/// Largest total size [bytes] of all records except keyframes. The limit bounds the memory for malicious files.
inline constexpr std::uint64_t largest_session_text = std::uint64_t{256} << 20;
/// Largest number of keyframes that are read.
inline constexpr std::size_t most_saved_keyframes = 1'000'000;

/// Returns whether the file begins with the signature of session files.
[[nodiscard]] bool is_session_file(const std::string& path);
/// Reads a session file up to the first damaged or incomplete record; all bytes after it are ignored. Returns an error
/// if the file is not a session file, has a newer format, or has no intact start.
[[nodiscard]] Result<SessionContents> read_session_file(const std::string& path);

// ---- Records, as text that is appended to a file ----

/// Returns the beginning of a file: the signature, and the records that describe the session's start.
[[nodiscard]] std::string session_head(const SessionStart& start);
/// Returns a record that contains the present moment and the number of the main branch.
[[nodiscard]] std::string present_record(const BranchTree& tree, const RunMoment& present);
[[nodiscard]] std::string display_record(std::string_view display);
[[nodiscard]] std::string keyframe_record(const KeyframeInfo& keyframe, std::span<const std::byte> packed);
/// Returns the record that marks the normal end of a session.
[[nodiscard]] std::string end_record();

/// Tracks the contents of a tree that have already been written to a file.
class WrittenTree {
 public:
  /// Returns the records of all changes since the last call. The result is empty if there are none.
  [[nodiscard]] std::string changes(const BranchTree& tree);

 private:
  struct Written {
    std::size_t entries = 0, hashes = 0, step_lengths = 0;
    std::uint64_t end_tick = 0;
    std::string name, failure;
    std::vector<Bookmark> bookmarks;
  };
  static void add_changes(BranchNumber number, const BranchTree::Branch& branch, Written& written, bool is_new,
                          std::string& records);
  std::map<BranchNumber, Written> branches_;
};

}  // namespace vw

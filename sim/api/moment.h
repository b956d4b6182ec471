// A moment contains all data from which a picture or a video of a session can be opened again as a running world, at
// the step that is shown. PNG and MP4 files store a moment as compressed text (docs/session-format.md). This file is
// part of the library's stable interface: a function that is declared here keeps its meaning, and later versions only
// add to it.
//
// A moment contains the scene at the start of the session, the commands with their ticks, and the tick that is shown.
// To open a moment, the program builds the world, replays the commands and takes the steps. The state is then equal to
// the bit.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/api/run.h"
#include "sim/base/data/node.h"
#include "sim/base/math.h"
#include "sim/world/state/journal.h"

namespace vw::api {

/// A point of a session, between two steps or commands.
struct SessionPoint {
  std::uint64_t tick = 0;      ///< number of steps taken since the session began
  std::uint64_t commands = 0;  ///< number of commands applied since the session began
  friend bool operator==(const SessionPoint&, const SessionPoint&) = default;
};

/// Points of the frames of a video, in order. Frames with constant increments are stored as one entry.
class FramePoints {
 public:
  struct Run {
    std::uint64_t count = 0, ticks = 0, commands = 0;  ///< number of frames; increments from frame to frame
    friend bool operator==(const Run&, const Run&) = default;
  };
  /// Appends `count` frames that show this point. A point before the last point is treated as the last point.
  void add(const SessionPoint& point, std::uint64_t count = 1);
  void add(const Run& run);  ///< appends frames with constant increments
  [[nodiscard]] std::uint64_t count() const { return count_; }
  /// Returns the point of a frame. A number beyond the last frame stands for the last frame.
  [[nodiscard]] SessionPoint at(std::uint64_t frame) const;
  [[nodiscard]] SessionPoint last() const { return last_; }
  [[nodiscard]] const std::vector<Run>& runs() const { return runs_; }

 private:
  std::vector<Run> runs_;
  std::uint64_t count_ = 0;
  SessionPoint last_;
};

/// Camera of the frames from `frame` to the next entry.
struct FrameCamera {
  std::uint64_t frame = 0;
  Vec3 eye = Vec3::Zero(), target = Vec3::Zero();
};

/// Data of a moment that only videos have.
struct VideoFrames {
  double fps = 0;  ///< frames per second of the video
  /// Simulated time between two frames [s], or 0 if the video was paced by real time.
  double frame_s = 0;
  bool is_complete = false;  ///< whether the recording had ended when the moment was written
  /// Number of frames at the beginning of the video that cannot be opened. A later jump back in time or to another
  /// branch removed the commands that lead to them.
  std::uint64_t lost = 0;
  FramePoints points;                ///< points of all frames except the lost frames; only for a complete recording
  std::vector<FrameCamera> cameras;  ///< in the order of the frames, one entry for each change
  std::uint64_t last_step = 0;
  double last_time_s = 0;    ///< step and time of the world in the last frame; not stored in files
  std::uint32_t branch = 0;  ///< branch that the last frame shows; not stored in files

  /// Returns the number of frames of the video.
  [[nodiscard]] std::uint64_t count() const { return lost + points.count(); }

  /// Appends a frame that shows this snapshot.
  void add(const Snapshot& shown, const Vec3& eye, const Vec3& target);
  /// Appends `count` copies of the last frame. Does nothing if there is no frame.
  void repeat(std::uint64_t count);
};

/// Run B of a picture that compares two runs. The run of the moment itself is A.
struct ComparedMoment {
  std::string name;  ///< display name of B
  /// Values that replace those of A in B, from the start of the session. If there are any, B repeats the commands of A,
  /// and `journal`, `start` and `sources` are empty.
  std::vector<SetParameter> values = {};
  Journal journal = {};                             ///< scene and commands of B, up to the moment of the picture
  std::shared_ptr<const Checkpoint> start = {};     ///< state from which the session of B began, or null
  std::map<std::string, std::string> sources = {};  ///< see SavedMoment::sources; for the scene of B
  bool is_ghost = false;          ///< whether B is drawn over A; otherwise A and B are drawn side by side
  bool shows_difference = false;  ///< whether elements are coloured by the distance between their positions in A and B
  double ghost_percent = 50;      ///< opacity of B over A [%]
};

struct SavedMoment {
  std::string build;  ///< build that wrote the moment
  /// Scene at the start of the session, and all commands up to `point`.
  Journal journal;
  SessionPoint point;  ///< point that the picture shows; for a video, the point of its last frame
  std::uint64_t step = 0;
  double time_s = 0;  ///< step and time of the world at `point`
  /// Scene in TOML that contains only the view, with the camera of the picture, and the plots.
  std::string display;
  /// XXH3 hash of each file that the scene names, by the path of the parameter that names the file.
  std::map<std::string, std::string> sources;
  std::shared_ptr<const Checkpoint> start;  ///< state from which a resumed session began, or null
  std::optional<VideoFrames> video;
  std::optional<ComparedMoment> compared;  ///< only for a picture that compares two runs
};

/// Maximum size of a moment within a picture or video [bytes]. A larger moment is written to a separate file beside it.
inline constexpr std::size_t largest_embedded_moment = std::size_t{8} << 20;
/// Limits on the memory that a malicious file can claim: size of a moment in a file, and size of its text [bytes].
inline constexpr std::size_t largest_moment_file = std::size_t{256} << 20;
inline constexpr std::size_t largest_moment_text = std::size_t{256} << 20;

/// Returns a scene in TOML that contains only the view and the plots of `scene`, for SavedMoment::display.
[[nodiscard]] std::string display_text(const Node& scene);
/// Returns the point that a snapshot shows.
[[nodiscard]] SessionPoint point_of(const Snapshot& shown);
/// Returns the moment that a snapshot shows, without its session; see add_session(). `scene` provides the view, with
/// the camera of the picture, and the plots.
[[nodiscard]] SavedMoment moment_of(const Snapshot& shown, const Node& scene);
/// Returns the moment of a video. If the recording is complete, the point of the moment is that of the last frame.
/// Otherwise, it is that of `shown`, which must then be the start of the recording.
[[nodiscard]] SavedMoment moment_of(const Snapshot& shown, const Node& scene, VideoFrames video);
/// Adds the session up to SavedMoment::point to the moment. `journal` may continue beyond that point. `start` is the
/// state from which a resumed session began, or null.
void add_session(SavedMoment& moment, const Journal& journal, std::shared_ptr<const Checkpoint> start);

/// Converts a moment to the bytes to be stored in the picture or video `file`: text, compressed in the format of zlib.
/// Adds the hashes of the files that the scene names. If there are more than `limit` bytes, they are written to the
/// file `FILE.moment`, and the returned bytes contain only the name of that file. Returns an error if the text exceeds
/// largest_moment_text. The call takes long, so its thread must be allowed to block.
[[nodiscard]] Result<std::string> pack_moment(SavedMoment moment, const std::string& file,
                                              std::size_t limit = largest_embedded_moment);
/// Reads bytes that pack_moment() returned. If they refer to a file beside `file`, that file is read. An error names
/// `file` and what is damaged or missing.
[[nodiscard]] Result<SavedMoment> unpack_moment(std::string_view bytes, const std::string& file);

struct MomentOptions {
  std::optional<double> at_s = {};          ///< time in the video [s], by default that of the first frame that can be
                                            ///< opened; an error for a picture
  std::optional<std::uint64_t> frame = {};  ///< number of the frame; replaces `at_s`
  std::string journal_path = {};            ///< see Run::create()
  /// This function is called on the calling thread with the fraction of the steps taken. If the function returns false,
  /// opening ends with an error. The function may be empty.
  std::function<bool(double share)> progress = {};
};

struct ReopenedMoment {
  Run run;     ///< run that has reached the moment
  Node scene;  ///< scene of the run with every edit, with the view and the plots of the picture
  /// Warnings, one sentence each: about a state that differs from the state of the picture, and about missing data.
  std::vector<std::string> notes;
  std::uint64_t hashes_checked = 0;  ///< number of hashes of the session's journal that were compared
  bool agrees = true;                ///< whether all hashes were equal
  /// Run B of a picture that compares two runs. Its file names are the present paths. B has not been run yet.
  std::optional<ComparedMoment> compared = {};
};

/// Builds the world of a moment and repeats its session up to the moment of the picture, or up to a frame of the video.
/// `file` is the path of the picture, for messages. If a file that the scene names does not exist, it is searched for
/// beside the picture and among the packaged models and scenes. A state that differs from the recorded state causes a
/// warning, not an error.
[[nodiscard]] Result<ReopenedMoment> open_moment(const SavedMoment& moment, const std::string& file,
                                                 const MomentOptions& options = {});

}  // namespace vw::api

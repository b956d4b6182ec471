// Opens moments: builds the world and repeats the session. When a state differs from the recording, the replay of a
// journal ends, but a moment is opened nevertheless, with a warning.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "sim/api/moment.h"
#include "sim/api/session_start.h"
#include "sim/scene/scene.h"
#include "sim/world/build_info.h"
#include "sim/world/state/sources.h"
#include "sim/world/world.h"

namespace vw::api {
namespace {

namespace fs = std::filesystem;

/// Returns the number of the video frame to open, or 0 for a picture.
Result<std::uint64_t> frame_of(const SavedMoment& moment, const std::string& file, const MomentOptions& options) {
  if (!moment.video) {
    if (options.at_s) return wrong_file(file, "is a picture: a time can be given only for a video");
    return 0;
  }
  const std::uint64_t count = moment.video->count(), lost = moment.video->lost;
  if (options.frame) return *options.frame;
  const double fps = moment.video->fps, at_s = options.at_s.value_or(static_cast<double>(lost) / fps);
  const double end_s = static_cast<double>(count) / fps;
  if (!(at_s >= 0) || (moment.video->is_complete && at_s > end_s))
    return wrong_file(file, fmt::format("the time {:g} s is outside the video, which is {:.3g} s long", at_s, end_s));
  constexpr double slack_frames = 1e-3;  // times such as 0.1 s are not binary fractions
  const auto frame = static_cast<std::uint64_t>(std::min(std::floor(at_s * fps + slack_frames), 1e15));
  return count == 0 ? frame : std::min(frame, count - 1);
}

/// Returns an error if the frame lies before a point at which the session went to another moment. Such a frame cannot
/// be opened.
Result<void> check_known(const SavedMoment& moment, std::uint64_t frame, const std::string& file) {
  if (!moment.video || frame >= moment.video->lost) return {};
  return wrong_file(file,
                    fmt::format("the part of the video before {:.3g} s cannot be opened, because the session went to "
                                "another moment at this time",
                                static_cast<double>(moment.video->lost) / moment.video->fps));
}

/// Returns the point of a frame. A recording that did not end normally has no list of frames. If its frames have a
/// fixed simulated interval, the point is computed from it. Otherwise, the point is the start of the recording.
SessionPoint point_of_frame(const SavedMoment& moment, std::uint64_t frame, double dt_s,
                            std::vector<std::string>& notes) {
  if (!moment.video) return moment.point;
  const VideoFrames& video = *moment.video;
  if (video.is_complete) return video.points.at(frame - video.lost);
  notes.emplace_back("the recording did not end normally, so commands after its start are missing");
  if (frame == 0 || video.frame_s <= 0) return moment.point;
  constexpr double slack_steps = 1e-3;
  const double steps = std::ceil(static_cast<double>(frame) * video.frame_s / dt_s - slack_steps);
  const double most = static_cast<double>(max_journal_tick - moment.point.tick);
  return {moment.point.tick + static_cast<std::uint64_t>(std::clamp(steps, 0.0, most)), moment.point.commands};
}

/// Repeats a session up to a point. The run must be at the start of the session.
class Repetition {
 public:
  Repetition(ReopenedMoment& opened, const SavedMoment& moment, const MomentOptions& options)
      : run_(opened.run), opened_(opened), moment_(moment), options_(options) {}

  Result<void> run_to(const SessionPoint& point) {
    end_ = point.tick;
    const Journal journal = cut_journal(moment_.journal, point.tick, point.commands);
    for (const JournalEntry& entry : journal.entries) {
      if (auto good = step_to(entry.tick); !good) return good;
      if (stopped_) return {};
      entry.kind == JournalEntry::Kind::command ? apply(entry) : compare(entry);
    }
    return step_to(point.tick);
  }

 private:
  Result<void> step_to(std::uint64_t tick) {
    while (!stopped_ && run_.tick() < tick) {
      if (auto good = run_.step(); !good) {
        note(fmt::format("the world stopped before the moment of the picture: {}", good.error().message()));
        stopped_ = true;
        return {};
      }
      const double share = static_cast<double>(run_.tick()) / static_cast<double>(std::max<std::uint64_t>(end_, 1));
      if (options_.progress && !options_.progress(share)) return fail("the opening of the picture was cancelled");
    }
    return {};
  }
  void apply(const JournalEntry& entry) {
    if (auto good = run_.apply(entry.command); !good && !refused_) {
      refused_ = true;
      note(fmt::format("a command at step {} cannot be applied and is left out: {}", entry.tick,
                       good.error().message()));
    }
  }
  void compare(const JournalEntry& entry) {
    ++opened_.hashes_checked;
    if (run_.hash() == entry.hash || !opened_.agrees) return;
    opened_.agrees = false;
    const std::string here = build_description();
    note(here == moment_.build
             ? fmt::format("at step {}, the repeated run differs from the recorded run", entry.tick)
             : fmt::format("at step {}, the repeated run differs from the recorded run. The picture was written by {}; "
                           "this program is {}",
                           entry.tick, moment_.build, here));
  }
  void note(std::string sentence) { opened_.notes.push_back(std::move(sentence)); }

  Run& run_;
  ReopenedMoment& opened_;
  const SavedMoment& moment_;
  const MomentOptions& options_;
  std::uint64_t end_ = 0;
  bool stopped_ = false, refused_ = false;
};

/// Sets the camera of `scene` to that of a video frame.
void put_camera(Node& scene, const SavedMoment& moment, std::uint64_t frame) {
  if (!moment.video || moment.video->cameras.empty()) return;
  const auto& cameras = moment.video->cameras;
  const auto after = std::ranges::upper_bound(cameras, frame, {}, &FrameCamera::frame);
  if (after == cameras.begin()) return;
  (void)set_parameter(scene, "view.eye", Value(std::prev(after)->eye));
  (void)set_parameter(scene, "view.target", Value(std::prev(after)->target));
  (void)set_parameter(scene, "view.auto_frame", Value(false));
}

}  // namespace

Result<ReopenedMoment> open_moment(const SavedMoment& moment, const std::string& file, const MomentOptions& options) {
  const auto frame = frame_of(moment, file, options);
  if (!frame) return Unexpected(frame.error());
  if (auto good = check_known(moment, *frame, file); !good) return Unexpected(good.error());
  std::vector<std::string> notes;
  auto run = start_of_session(moment.journal, moment.start, moment.sources, file, options.journal_path, notes);
  if (!run) {
    Error error = run.error();
    if (error.file.empty()) error.file = file;
    return fail(std::move(error));
  }
  const SessionPoint point = point_of_frame(moment, *frame, run->dt_s(), notes);
  ReopenedMoment opened{std::move(*run), {}, std::move(notes)};
  if (auto good = Repetition(opened, moment, options).run_to(point); !good) return wrong_file(file, good.error().what);
  opened.scene = opened.run.scene();
  put_display(opened.scene, moment.display, opened.notes);
  put_camera(opened.scene, moment, *frame);
  opened.compared = moment.compared;
  if (opened.compared && opened.compared->values.empty())
    opened.compared->journal.scene_text =
        scene_with_present_files(opened.compared->journal, opened.compared->sources, file, opened.notes);
  return opened;
}

}  // namespace vw::api

// Data and internal functions of LiveRun. Only live_run*.cpp include this file; it is not part of the stable interface.
//
// Only the simulation thread accesses the world. The drawing thread puts requests into an inbox and takes snapshots
// from the exchange. One mutex guards the inbox and the data for the drawing thread: messages, timeline, scene and the
// result of Settle. The mutex is locked only to add or swap these data, never during a step, file access or a callback.
#pragma once

#include <chrono>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <thread>
#include <utility>

#include "sim/api/live/live_run.h"
#include "sim/history/film.h"
#include "sim/history/run_history.h"
#include "sim/history/timeline_builder.h"
#include "sim/world/session.h"
#include "sim/world/step/pacing.h"

namespace vw::api {

struct LiveRun::Impl {
  using Clock = std::chrono::steady_clock;

  // Requests of the drawing thread.

  /// A command. If it acts on an element, `identity` is the permanent id of this element (Elements::id). The row in the
  /// command is that of the snapshot that was shown, and the world may have removed elements since then.
  struct Submitted {
    Command command;
    std::optional<std::uint32_t> identity;
  };
  struct SetPaused {
    bool paused = false;
  };
  struct SingleStep {
    int steps = 1;
  };
  struct Subscribe {
    SnapshotRequest wanted;
  };
  struct SetSink {
    std::shared_ptr<SnapshotSink> sink;
  };
  struct SetWatcher {
    std::shared_ptr<SnapshotSink> watcher;
  };
  struct SaveCheckpoint {
    std::string path;
    std::function<void(Result<void>)> done;
  };
  struct SaveJournal {
    std::string path;
    std::function<void(Result<void>)> done;
  };
  struct SaveSession {
    std::string path;
    std::uint64_t limit_bytes = 0;
    std::function<void(Result<void>)> done;
  };
  struct SetDisplay {
    std::string display;
  };
  struct Change {
    ChangeNodes command;
    std::function<void(Result<ChangeOutcome>)> done;
    bool may_restart = false;  ///< whether the world restarts if its present state does not allow the change
  };
  struct ReadJournal {
    std::function<void(Journal)> done;
    std::optional<std::uint32_t> branch = {};  ///< if set, the path of this branch to its end; else the path to the
                                               ///< present moment
  };
  struct Seek {
    std::uint32_t branch = 0;
    std::uint64_t tick = 0;
  };
  struct SeekTime {
    std::uint32_t branch = 0;
    double elapsed_s = 0;
  };
  struct StepBack {
    int steps = 1;
  };
  struct StopSeeking {};
  /// A change of the branches or bookmarks.
  struct EditHistory {
    std::function<Result<void>(RunHistory&)> edit;
  };
  using Request = std::variant<SetPaused, SingleStep, Submitted, Change, Subscribe, SetSink, SetWatcher, SaveCheckpoint,
                               SaveJournal, SaveSession, SetDisplay, ReadJournal, Seek, SeekTime, StepBack, StopSeeking,
                               EditHistory>;

  /// A consumer of snapshots. `tick` and `parts_number` identify the last snapshot offered, so that none is offered
  /// twice.
  struct Consumer {
    std::shared_ptr<SnapshotSink> sink;
    bool is_new = false;
    std::uint64_t tick = 0, parts_number = 0;

    void set(std::shared_ptr<SnapshotSink> other) {
      sink = std::move(other);
      is_new = sink != nullptr;
    }
    void offer(const Snapshot& snapshot, std::uint64_t now, const std::atomic<bool>& stop_requested) {
      if (!sink || (!is_new && now == tick && snapshot.parts_number() == parts_number)) return;
      is_new = false;
      tick = now;
      parts_number = snapshot.parts_number();
      sink->offer(snapshot, stop_requested);
    }
  };

  Exchange<Snapshot>& exchange;
  Session session;
  World& world;
  const std::shared_ptr<const Checkpoint> start_state;
  const std::optional<RunMoment> first_target;  ///< moment to show first, of an opened session
  RunHistory history;
  Film film;

  // Shared with the drawing thread.
  std::mutex mutex;
  std::condition_variable wake;
  std::vector<Request> inbox;
  std::vector<std::string> messages;
  std::atomic<bool> stop{false};
  std::atomic<bool> release_sink{false};
  std::atomic<bool> stop_settling{false};
  std::atomic<double> hold_s{std::numeric_limits<double>::infinity()};  ///< see LiveRun::hold_after()
  std::atomic<double> settle_share{0}, settle_residual{0};
  std::atomic<int> settle_iterations{0};
  std::optional<Result<Equilibrium>> settled;
  std::shared_ptr<const Timeline> timeline;  ///< never null
  bool timeline_wanted = true;
  /// Scene that take_scene() returns, and the number of commands of the drawing thread that the scene includes.
  std::optional<SceneOfMoment> told_scene;
  std::uint64_t told_commands = 0;
  std::uint64_t submitted = 0;  ///< commands that the drawing thread has submitted

  // Only the simulation thread uses the following members.
  std::vector<Request> batch, deferred;
  TimelineBuilder timeline_builder;
  /// Last command that changed the scene of which the drawing thread has a copy.
  BranchTree::CommandStamp known_scene;
  std::uint64_t applied = 0;  ///< number of commands of the drawing thread that were applied or rejected
  double played_s = 0;        ///< simulated time of all steps taken, including recorded steps [s]
  Consumer sink, watcher;
  bool paused = true;
  int steps_asked = 0;
  bool failure_reported = false;
  bool is_settling = false;  ///< whether a Settle command of the drawing thread is being applied, not a recorded one
  std::uint64_t sequence = 0, seek_steps = 1;
  RunMoment seek_target;
  /// Memory of the film [bytes].
  static constexpr std::uint64_t film_bytes = std::uint64_t{256} << 20;
  bool shows_film = false;  ///< whether a frame of the film shows the target of the seek in progress
  Pacer pacer;
  RateMeter meter;
  Clock::time_point start = Clock::now(), last_advance = start, last_publish = start, last_air = start;
  Clock::time_point last_timeline = start;
  bool timeline_is_old = true;
  bool has_unpublished_step = false;
  double air_cost_s = 0;
  Clock::time_point last_recording = start;
  std::thread thread, saver;  ///< `saver` writes a session file

  Impl(Exchange<Snapshot>& out, Session made, Start at_start, HistoryLimits limits,
       std::optional<RestoredHistory> restored = {});
  ~Impl();
  void post(Request request);
  void tell(std::string message);

  void run();
  bool take_requests();
  void handle(SetPaused& request);
  void handle(SingleStep& request) { steps_asked += std::max(0, request.steps); }
  void handle(Submitted& request);
  void do_settle(const Settle& command);
  void handle(Subscribe& request) { world.subscribe(std::move(request.wanted)); }
  void handle(SetSink& request) { sink.set(std::move(request.sink)); }
  void handle(SetWatcher& request) { watcher.set(std::move(request.watcher)); }
  void handle(Change& request);
  void handle(SaveCheckpoint& request);
  void handle(SaveJournal& request);
  void handle(SaveSession& request);
  void handle(SetDisplay& request) { history.set_display(std::move(request.display)); }
  void serve_last_requests();
  void handle(ReadJournal& request);
  void handle(Seek& request) { go_to({request.branch, request.tick, any_command}); }
  void handle(SeekTime& request);
  void handle(StepBack& request);
  void handle(StopSeeking& request);
  void handle(EditHistory& request);
  void go_to(const RunMoment& target);
  void continue_seek();
  /// Publishes the frame of the film nearest to the target of a seek. Returns false if no frame is close enough.
  bool publish_film();
  void arrive();
  /// Stores the scene for take_scene() if the run has gone to a moment whose scene differs.
  void tell_scene();
  [[nodiscard]] SceneOfMoment scene_of_moment() const;
  /// Records that a command of the drawing thread was applied or rejected. After an accepted command that changes the
  /// scene, the drawing thread has a copy of the new scene.
  void command_was_handled(const Command& command, bool is_accepted);
  void update_timeline();
  void take_history_messages();
  /// Returns whether a request must wait until a seek in progress has reached its target.
  [[nodiscard]] static bool waits_for_arrival(const Request& request);
  [[nodiscard]] bool step_due();
  void take_step();
  void stop_if_failed();
  [[nodiscard]] bool air_due() const;
  void publish(bool for_all = true);
  void wait();
  void update_recording();
  /// Wall time between two updates of the session file while the session runs [s].
  static constexpr double recording_interval_s = 0.2;
  /// Wall time between two updates of the timeline [s].
  static constexpr double timeline_interval_s = 0.2;
  /// Value of RunMoment::commands that stands for all commands of the tick.
  static constexpr std::uint64_t any_command = std::numeric_limits<std::uint64_t>::max();
};

}  // namespace vw::api

// One run of a scene: create, command, step, read and record. This is the library's stable interface for programs and
// for bindings to other languages: a function that is declared here keeps its meaning, and later versions only add to
// it.
//
// A caller need not know the kinds of systems. A system is identified by its name in the scene, and its data are arrays
// with one row per element. Values are in SI units and world coordinates (right-handed, y up).
//
// Errors in input (paths, values, files) are returned as values, and the run is then unchanged. If a health check
// fails, step() returns an error, the run keeps the state before that step, and failure() returns the reason.
//
// A run may be used by only one thread at a time. It uses several threads internally; the results do not depend on
// their number. Different runs are independent.
//
//   auto scene = vw::api::open_scene("jelly-drop", {.assignments = {"world.gravity=0,-1.62,0"}});
//   auto run = vw::api::Run::create(std::move(*scene));
//   auto end = run->run_until(2.0);
//   auto heights = run->array(run->systems().front(), "position");
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/api/open_scene.h"
#include "sim/snapshot/snapshot.h"
#include "sim/snapshot/snapshot_request.h"
#include "sim/system/diagnostics.h"
#include "sim/world/health/run_warnings.h"
#include "sim/world/state/command.h"
#include "sim/world/state/journal.h"

namespace vw {
class Session;
class World;
}  // namespace vw

namespace vw::api {

/// Name, unit and number of columns of an array of elements.
struct ArrayInfo {
  std::string name;
  std::string unit;
  std::size_t columns = 1;
};

/// View of an array of elements: `rows` x `columns` values, stored row by row, one row per element. The view does not
/// own the values. It becomes invalid when a non-const function of the run is called or when the run is destroyed.
struct ArrayView {
  std::span<const double> values;
  std::size_t rows = 0, columns = 1;
};

/// Values of a channel or vector: `rows` x `columns` values, stored row by row, one row per element.
struct ArrayCopy {
  std::vector<float> values;
  std::size_t rows = 0, columns = 1;
};

/// Reason for the end of run_until().
enum class End {
  reached,  ///< the time `until_s` was reached
  stopped,  ///< `after_step` returned false
};

class Run {
 public:
  // ---- Lifetime ----

  /// Builds the world of a scene at time 0. The run takes over the scene. If `journal_path` is not empty, a journal is
  /// written to this file during the run. An error names file, line and key in the scene.
  [[nodiscard]] static Result<Run> create(OpenedScene scene, const std::string& journal_path = {});
  /// Continues a saved run, bit for bit. The files that the scene names must have the same content as for the saved
  /// run. The journal begins at the checkpoint, so a replay of the journal also needs the checkpoint.
  [[nodiscard]] static Result<Run> resume(SavedRun saved, const std::string& journal_path = {});
  /// Destroys the world. A journal that was not closed by finish() stays readable, but counts as incomplete.
  ~Run();
  /// A move keeps views and references into the run valid. A moved-from run may only be destroyed or assigned.
  Run(Run&& other) noexcept;
  Run& operator=(Run&& other) noexcept;

  // ---- Commands: applied at once, between two steps, and recorded in the journal ----

  /// Applies any command (sim/world/state/command.h). An invalid command returns an error and changes nothing.
  [[nodiscard]] Result<void> apply(const Command& command);
  /// Sets the parameter at `path` ("system.creature.drag"). Parameters that are not live take effect at the next reset.
  [[nodiscard]] Result<void> set(const std::string& path, const Value& value);
  /// Sets a parameter by a text of the form `path=value`, as the command-line option --set does.
  [[nodiscard]] Result<void> assign(const std::string& text);
  /// Returns to the initial state of the scene with all edited parameters.
  [[nodiscard]] Result<void> reset();
  /// Returns the value of the parameter at `path`, with every edit.
  [[nodiscard]] Result<Value> value(const std::string& path) const;
  /// Returns the parameters whose edits take effect only at the next reset, as paths with the values that are still in
  /// use.
  [[nodiscard]] std::vector<SetParameter> pending() const;
  /// Returns the scene with every edit. The reference is valid until the next call of a non-const function of the run.
  [[nodiscard]] const Node& scene() const;
  /// Returns scene() as TOML text, which open_scene_text() can open again.
  [[nodiscard]] std::string scene_text() const;

  // ---- Steps ----

  /// Takes `count` fixed steps of dt_s(). If a health check fails, the error contains the reason, and the run stays in
  /// the last good state. Later steps fail with the same reason until a command changes a live parameter, a pose or the
  /// nodes of the scene, or until a reset.
  [[nodiscard]] Result<void> step(std::uint64_t count = 1);
  /// Takes steps until time_s() is `until_s` [s], rounded to a step. `after_step` is called after every step and may be
  /// empty. If it returns false, the run stops. The errors are those of step().
  [[nodiscard]] Result<End> run_until(double until_s, const std::function<bool(Run&)>& after_step = {});
  /// Repeats a journal on a run that has taken no step. Every recorded hash is compared. An error names the tick at
  /// which the replay diverges. `after_step` may be empty.
  [[nodiscard]] Result<ReplayOutcome> replay(const Journal& journal, const std::function<void(Run&)>& after_step = {});

  [[nodiscard]] double time_s() const;             ///< simulated time [s]; 0 at the start and after a reset
  [[nodiscard]] double dt_s() const;               ///< length of a step [s]
  [[nodiscard]] std::uint64_t step_count() const;  ///< steps since the start or the last reset, including steps before
                                                   ///< a resume
  [[nodiscard]] std::uint64_t tick() const;  ///< steps taken by this object; a reset does not set the number back to 0
  [[nodiscard]] std::uint64_t commands() const;  ///< number of commands in the journal
  [[nodiscard]] double simulated_s() const;      ///< simulated time of the steps that tick() counts [s]
  [[nodiscard]] double wall_s() const;           ///< wall time spent in steps [s]
  /// Returns a sentence on the failed health check, with system, element and time. The text is empty if the run is
  /// healthy.
  [[nodiscard]] std::string failure() const;

  // ---- Reading: `system` is the name of a system, and an unknown name is an error ----

  /// Returns the names of all systems, in alphabetical order.
  [[nodiscard]] std::vector<std::string> systems() const;
  /// Returns the number of elements.
  [[nodiscard]] Result<std::size_t> size(const std::string& system) const;
  /// Returns the id of each element, in the order of the rows. An element keeps its id while other elements are added
  /// or removed.
  [[nodiscard]] Result<std::vector<std::uint32_t>> ids(const std::string& system) const;
  /// Lists the arrays that the system has, out of: position [m] (3 columns), velocity [m/s] (3), mass [kg] (1), radius
  /// [m] (1; half the edge of a voxel), orientation (4: quaternion x, y, z, w), angular_velocity [rad/s] (3, world
  /// axes).
  [[nodiscard]] Result<std::vector<ArrayInfo>> arrays(const std::string& system) const;
  /// Returns a view of an array that arrays() lists, without a copy. See ArrayView for its lifetime.
  [[nodiscard]] Result<ArrayView> array(const std::string& system, const std::string& name) const;
  /// Lists the scalar channels that the system computes on request ("speed", "strain").
  [[nodiscard]] Result<std::vector<ChannelInfo>> channels(const std::string& system) const;
  /// Returns the values of a channel in its unit, as one column.
  [[nodiscard]] Result<ArrayCopy> channel(const std::string& system, const std::string& name) const;
  /// Writes the values of all channels to `out`, in the order of channels(). This is faster than one call of channel()
  /// per channel, and the buffers of `out` are reused.
  [[nodiscard]] Result<void> all_channels(const std::string& system, std::vector<Channel>& out) const;
  /// Lists the per-element vectors that the system computes on request ("vorticity"). Acceleration and net force are
  /// not listed: they are measured over a step, and only snapshots contain them (subscribe()).
  [[nodiscard]] Result<std::vector<ChannelInfo>> vectors(const std::string& system) const;
  /// Returns the values of a vector in its unit, as three columns (x, y, z).
  [[nodiscard]] Result<ArrayCopy> vector(const std::string& system, const std::string& name) const;
  /// Returns the number of elements, mass [kg], energies [J], momentum [kg m/s], angular momentum about the origin [kg
  /// m^2/s] and centre of mass [m].
  [[nodiscard]] Result<Diagnostics> diagnostics(const std::string& system) const;
  /// Returns further quantities of the entire system that Diagnostics does not contain, such as broken_bonds, in a
  /// fixed order.
  [[nodiscard]] Result<std::vector<Total>> totals(const std::string& system) const;

  /// Returns the present values of all actuators ("actuator.NAME") and sensors ("sensor.NAME"), without their
  /// positions.
  [[nodiscard]] std::vector<SignalSnapshot> signals() const;

  // ---- Snapshots ----

  /// Requests data that snapshots contain beyond their usual contents. Replaces the previous request. Accelerations,
  /// net forces and forces of rules are measured from the next step on. Unknown names are ignored.
  void subscribe(SnapshotRequest wanted);
  /// Fills `out` with a copy of all data that are needed to draw or measure the present state. `out` does not refer to
  /// the run. Its buffers are reused if it is passed again. If `fresh_air` is false, the visualisation of fields and
  /// fluids from the previous snapshot is reused.
  void snapshot(Snapshot& out, bool fresh_air = true);

  // ---- Results ----

  /// Returns a hash of the complete state. The hash does not depend on the number of threads or on the order of nodes
  /// in the scene file.
  [[nodiscard]] std::uint64_t hash();
  /// Writes a checkpoint of the present state. The file is replaced atomically. open_checkpoint() reads it.
  [[nodiscard]] Result<void> save(const std::string& path);
  /// Returns the content of the file that save() would write. open_checkpoint_bytes() reads it.
  [[nodiscard]] std::string checkpoint_bytes();
  /// Returns the report of the run so far as JSON (sim/world/report.h).
  [[nodiscard]] std::string report() const;
  /// Writes the journal so far as a complete file. Also works for a run that was created without a journal path.
  [[nodiscard]] Result<void> save_journal(const std::string& path);
  /// Returns a copy of the journal so far. It ends with a hash of the present state.
  [[nodiscard]] Journal journal();
  /// Returns the state from which a resumed run began, or null for a run that began at the start of its scene.
  [[nodiscard]] std::shared_ptr<const Checkpoint> start() const;
  /// Closes the journal file that was named at creation, if any. Returns an error if the journal is not complete
  /// because a write failed.
  [[nodiscard]] Result<void> finish();

  // ---- Warnings for the user, one sentence each ----

  /// Returns warnings about the files and the setup of the scene.
  [[nodiscard]] std::vector<std::string> notes() const;
  /// Returns warnings about the last step: slow steps, and totals of particle systems that cause a warning
  /// (TotalWarning), such as a number of particles that may have missed collisions. Each warning is returned once. Call
  /// the function after every step to receive all warnings.
  [[nodiscard]] std::vector<std::string> take_warnings();

  // ---- Not stable: for the program and its tests, which use the classes below this interface ----

  /// Wraps an existing session. A test may create a session with its own kinds of systems (Registry).
  explicit Run(Session session, std::string name = {});
  /// Returns the world, which the run owns.
  [[nodiscard]] World& world();
  [[nodiscard]] const World& world() const;
  /// Returns the session, which the run owns.
  [[nodiscard]] Session& session();

 private:
  friend class LiveRun;  // takes over the session
  std::unique_ptr<Session> session_;
  std::string name_;
  RunWarnings warnings_;
};

}  // namespace vw::api

// Steps of a run. The GIL is released while the run steps. At regular times the stepping thread takes the GIL, lets
// Python handle signals such as Ctrl-C, and reports the progress.
#include <chrono>
#include <exception>

#include "python/module/binding.h"

namespace vw::python {
namespace {

using Clock = std::chrono::steady_clock;
/// Interrupts a loop of steps at regular times, so that Python code can run.
class Pauses {
 public:
  /// `progress` is a Python function that is called with the completed fraction of the work. If it returns False, the
  /// loop ends. It may be None.
  Pauses(UseRun& use, const py::object& progress) : use_(use), progress_(progress) {}

  /// Call this function after every step, without the GIL. `share` returns the completed fraction of the work. The
  /// function returns false if the loop must end.
  template <class Share>
  [[nodiscard]] bool go_on(const Share& share) {
    const auto now = Clock::now();
    if (now < next_) return true;
    const py::gil_scoped_acquire locked;
    try {
      const bool goes_on = let_python_run(share());
      next_ = Clock::now() + Interrupts::interval;
      return goes_on;
    } catch (...) {
      thrown_ = std::current_exception();
      return false;
    }
  }
  /// Throws the exception that ended the loop, if any. The GIL must be held.
  void rethrow() const {
    if (thrown_) std::rethrow_exception(thrown_);
  }

 private:
  bool let_python_run(double share) {
    use_.pause();
    bool goes_on = true;
    if (PyErr_CheckSignals() != 0) {
      const py::error_already_set interrupt;  // stores the Python exception before go_on() marks the run as used
      use_.go_on();
      throw interrupt;
    }
    if (!progress_.is_none()) goes_on = !progress_(share).is(py::bool_(false));
    use_.go_on();
    return goes_on;
  }

  UseRun& use_;
  const py::object& progress_;
  Clock::time_point next_ = Clock::now() + Interrupts::interval;
  std::exception_ptr thrown_;
};

[[noreturn]] void throw_failure(Error error) { throw PythonError{std::move(error), true}; }

/// Takes steps and returns their number, which is smaller than `count` if the progress function ends the loop.
std::uint64_t step(RunBox& box, std::uint64_t count, const py::object& progress) {
  UseRun use(box);
  Pauses pauses(use, progress);
  std::uint64_t taken = 0;
  Result<void> done;
  {
    const py::gil_scoped_release free;
    while (taken < count) {
      done = use->step();
      if (!done) break;
      ++taken;
      measure_plots(box);
      if (!pauses.go_on([&] { return static_cast<double>(taken) / static_cast<double>(count); })) break;
    }
  }
  pauses.rethrow();
  if (!done) throw_failure(done.error());
  return taken;
}

/// Steps until the time of the run is `until_s` [s]. Returns false if the steps ended earlier.
bool run_until(RunBox& box, double until_s, const py::object& progress) {
  UseRun use(box);
  Pauses pauses(use, progress);
  const double begin_s = use->time_s();
  Result<api::End> end = [&] {
    const py::gil_scoped_release free;
    return use->run_until(until_s, [&](api::Run& run) {
      measure_plots(box);
      return pauses.go_on([&] { return (run.time_s() - begin_s) / (until_s - begin_s); });
    });
  }();
  pauses.rethrow();
  if (!end) {
    if (use->failure().empty()) throw PythonError{end.error()};
    throw_failure(end.error());
  }
  return *end == api::End::reached;
}

}  // namespace

UseRun::UseRun(RunBox& box) : box_(box) { go_on(); }

void UseRun::go_on() {
  if (box_.is_busy.exchange(true))
    throw PythonError{
        fail(box_.name + ": another thread uses this world: a world must be used by one thread at a time").value()};
  holds_ = true;
  if (box_.run) return;
  pause();
  throw PythonError{fail(box_.name + ": a comparison uses this world").value()};
}

bool Interrupts::end_work() {
  if (thrown_) return true;
  if (Clock::now() < next_) return false;
  const py::gil_scoped_acquire locked;
  if (PyErr_CheckSignals() != 0) thrown_ = std::make_exception_ptr(py::error_already_set());
  next_ = Clock::now() + interval;
  return thrown_ != nullptr;
}

void Interrupts::rethrow() const {
  if (thrown_) std::rethrow_exception(thrown_);
}

void measure_plots(RunBox& box) {
  if (!box.plots) return;
  box.run->snapshot(box.snapshot);
  box.plots->recorder.take(box.snapshot);
}

void subscribe(RunBox& box) {
  SnapshotRequest wanted = box.view_wanted;
  const auto add = [&wanted](const SnapshotRequest& more) {
    wanted.channels.insert(wanted.channels.end(), more.channels.begin(), more.channels.end());
    wanted.vectors.insert(wanted.vectors.end(), more.vectors.begin(), more.vectors.end());
    wanted.rules.insert(wanted.rules.end(), more.rules.begin(), more.rules.end());
  };
  if (box.plots) add(box.plots->wanted);
  if (box.meter) add(box.meter->plots.wanted());
  box.run->subscribe(std::move(wanted));
}

void bind_steps(py::class_<RunBox, Shared>& type) {
  type.def("step", &step, py::arg("count"), py::arg("progress"));
  type.def("run_until", &run_until, py::arg("until_s"), py::arg("progress"));
  type.def_property_readonly("time", [](RunBox& box) { return UseRun(box)->time_s(); });
  type.def_property_readonly("dt", [](RunBox& box) { return UseRun(box)->dt_s(); });
  type.def_property_readonly("step_count", [](RunBox& box) { return UseRun(box)->step_count(); });
  type.def_property_readonly("tick", [](RunBox& box) { return UseRun(box)->tick(); });
  type.def_property_readonly("wall_s", [](RunBox& box) { return UseRun(box)->wall_s(); });
  type.def_property_readonly("failure", [](RunBox& box) { return UseRun(box)->failure(); });
}

}  // namespace vw::python

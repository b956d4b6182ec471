// Common code of the bindings: errors as Python exceptions, parameter values as Python objects, and a run that several
// Python objects share. The Python package `voxwake` wraps the extension module and hides these classes from users.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <atomic>
#include <chrono>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "render/follow.h"
#include "render/framing.h"
#include "render/offscreen_painter.h"
#include "sim/api/run.h"
#include "sim/base/data/node.h"
#include "sim/base/error.h"
#include "sim/plot/plot_recorder.h"

namespace vw::python {

namespace py = pybind11;

/// C++ exception for an error of the library. The module translates it to the Python exception voxwake.Error or, if
/// `is_failure`, to voxwake.SimulationError.
struct PythonError {
  Error error;
  bool is_failure = false;  ///< whether a health check has failed
};

inline void check(const Result<void>& result) {
  if (!result) throw PythonError{result.error()};
}
template <class T>
[[nodiscard]] T checked(Result<T>&& result) {
  if (!result) throw PythonError{result.error()};
  return std::move(*result);
}

/// Converts a value to bool, int, float, a tuple of three numbers, str, or a list.
[[nodiscard]] py::object to_python(const Value& value);
/// Converts a Python object to a value of the type that `spec` declares. If the object cannot be converted, the error
/// names `path`, the object and the type. The range of the value is not checked.
[[nodiscard]] Value to_value(const py::handle& object, const ParamSpec& spec, const std::string& path);
/// Converts a sequence of three numbers. If this is impossible, the error names the sequence `name`.
[[nodiscard]] Vec3 to_vec3(const py::handle& object, const std::string& name);
[[nodiscard]] py::tuple from_vec3(const Vec3& v);

/// Copies numbers to an array with the given shape.
template <class T>
[[nodiscard]] py::array_t<T> copied(const T* values, std::vector<py::ssize_t> shape) {
  py::array_t<T> out(std::move(shape));
  std::copy(values, values + out.size(), out.mutable_data());
  return out;
}

/// Records the plots of a run. The plots are measured after every step.
struct PlotKeeper {
  explicit PlotKeeper(PlotSet plots) : plans(plots.plans()), wanted(plots.wanted()), recorder(std::move(plots)) {}
  std::vector<PlotPlan> plans;
  SnapshotRequest wanted;
  PlotRecorder recorder;
  PlotData data = {};
};

/// Measures the plots of a run on request, without recording them.
struct PlotMeter {
  PlotSet plots;
  Snapshot snapshot = {};
  std::vector<double> row = {};
};

/// A run with the data that its Python objects share. NumPy arrays that refer to memory of the run keep it alive.
struct RunBox {
  std::optional<api::Run> run;  ///< empty only while a comparison uses the run
  std::string name;
  std::atomic<bool> is_busy{false};  ///< whether a thread uses the run; see UseRun
  std::unique_ptr<PlotKeeper> plots = {};
  std::unique_ptr<PlotMeter> meter = {};

  // Pictures
  std::unique_ptr<OffscreenPainter> painter = {};
  bool asked_software = false;
  Snapshot snapshot = {};
  Camera camera = {};
  std::optional<ViewParams> framed = {};  ///< view that `camera` was made for
  Follower follower = {};
  AutoCamera auto_camera = {};  ///< active if the view has an automatic camera
  double camera_s = 0;          ///< time that the camera has reached [s]
  SnapshotRequest view_wanted = {};
};
using Shared = std::shared_ptr<RunBox>;

[[nodiscard]] Shared make_box(api::Run run, std::string name);

/// Marks the run as used by this thread. If another thread uses it, the constructor throws an error, because a run must
/// be used by one thread at a time. The GIL must be held.
class UseRun {
 public:
  explicit UseRun(RunBox& box);
  ~UseRun() { pause(); }
  UseRun(const UseRun&) = delete;
  UseRun& operator=(const UseRun&) = delete;
  [[nodiscard]] api::Run& run() const { return *box_.run; }
  api::Run* operator->() const { return &*box_.run; }
  /// pause() lets other code use the run, such as Python callbacks. go_on() marks the run as used again.
  void pause() {
    if (std::exchange(holds_, false)) box_.is_busy.store(false);
  }
  void go_on();

 private:
  RunBox& box_;
  bool holds_ = false;
};

/// Lets Python handle signals such as Ctrl-C during long work without the GIL.
class Interrupts {
 public:
  /// Call this function often during the work, without the GIL. Returns true if the work must end.
  [[nodiscard]] bool end_work();
  /// If a signal handler has raised an exception, throws this exception. The GIL must be held.
  void rethrow() const;

 private:
  std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now() + interval;
  std::exception_ptr thrown_;

 public:
  /// Time between two checks for signals: the largest delay with which Python handles an interrupt.
  static constexpr std::chrono::milliseconds interval{50};
};

/// Requests the data that the plots and pictures of the run show.
void subscribe(RunBox& box);
/// Measures the plots, if they are recorded. Call this function after every step.
void measure_plots(RunBox& box);

/// A scene that Python code builds or reads.
struct Tree {
  Node root;
  std::string name;  ///< file, packaged scene or other name, for messages
};

void bind_run(py::module_& module);
void bind_steps(py::class_<RunBox, Shared>& type);
void bind_pictures(py::module_& module, py::class_<RunBox, Shared>& type);
void bind_scene(py::module_& module);
void bind_analysis(py::module_& module);

}  // namespace vw::python

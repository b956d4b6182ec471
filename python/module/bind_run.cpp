// The class Run of the extension module: creation, commands, arrays, totals and results.
#include <fmt/format.h>

#include "python/module/binding.h"
#include "python/module/kept_memory.h"
#include "sim/api/analysis/fields.h"

namespace vw::python {
namespace {

/// Base object of a NumPy array that refers to memory of a run. It keeps the run and the memory block alive.
class Block {
 public:
  Block(Shared box, std::string system, std::string array, const api::ArrayView& view)
      : box_(std::move(box)),
        system_(std::move(system)),
        array_(std::move(array)),
        data_(view.values.data()),
        rows_(view.rows),
        kept_(data_) {}
  /// Returns whether the run still stores this array of the system at the same address, with the same number of rows.
  [[nodiscard]] bool is_current() const {
    const UseRun use(*box_);
    const auto view = use->array(system_, array_);
    return view && view->values.data() == data_ && view->rows == rows_;
  }
  [[nodiscard]] std::uintptr_t address() const {
    return reinterpret_cast<std::uintptr_t>(data_);  // NOLINT(performance-no-int-to-ptr)
  }

 private:
  Shared box_;
  std::string system_, array_;
  const double* data_;
  std::size_t rows_;
  KeptBlock kept_;
};

Shared start(api::OpenedScene scene, const std::string& journal) {
  std::string name = scene.name;
  Result<api::Run> run = [&] {
    const py::gil_scoped_release free;
    return api::Run::create(std::move(scene), journal);
  }();
  return make_box(checked(std::move(run)), std::move(name));
}

api::OpenOptions options_of(std::vector<std::string> assignments, bool strict, std::string base) {
  api::OpenOptions options;
  options.assignments = std::move(assignments);
  options.strict = strict;
  options.base = std::move(base);
  return options;
}

Shared open(const std::string& scene, std::vector<std::string> assignments, bool strict, const std::string& base,
            const std::string& journal) {
  return start(checked(api::open_scene(scene, options_of(std::move(assignments), strict, base))), journal);
}

Shared open_text(const std::string& text, const std::string& name, const std::string& folder,
                 std::vector<std::string> assignments, const std::string& journal) {
  return start(checked(api::open_scene_text(text, name, folder, options_of(std::move(assignments), false, {}))),
               journal);
}

Shared resume(Result<api::SavedRun> opened, const std::string& journal) {
  api::SavedRun saved = checked(std::move(opened));
  std::string name = saved.name;
  Result<api::Run> run = [&] {
    const py::gil_scoped_release free;
    return api::Run::resume(std::move(saved), journal);
  }();
  return make_box(checked(std::move(run)), std::move(name));
}

/// Returns the plots of the run's scene.
Result<PlotSet> plots_of(const api::Run& run) {
  auto plots = PlotSet::compile(run.scene());
  if (plots && plots->wants_air()) plots->set_air(api::make_air_gauge(run.scene()));
  return plots;
}

/// Lets the plots follow an edit of the scene, whose values formulas, the air and obstacles use. Plots that do not fit
/// the edited scene continue unchanged.
void update_plots(RunBox& box) {
  if (box.plots)
    if (auto plots = plots_of(*box.run)) {
      box.plots->plans = plots->plans();
      box.plots->wanted = plots->wanted();
      box.plots->recorder.replace(std::move(*plots));
    }
  if (box.meter)
    if (auto plots = plots_of(*box.run)) {
      plots->go_on_from(box.meter->plots);
      box.meter->plots = std::move(*plots);
    }
  if (box.plots || box.meter) subscribe(box);
}

/// Applies a command without the GIL, so that other Python threads can run: Settle and Reset may take long.
void apply_command(RunBox& box, const Command& command) {
  const UseRun use(box);
  Result<void> done;
  {
    const py::gil_scoped_release free;
    done = use->apply(command);
  }
  check(done);
  const auto* edit = std::get_if<SetParameter>(&command);
  // Controllers set values of manual actuators before every step. The plots are not compiled again each time.
  const bool actuates = edit != nullptr && edit->path.starts_with("actuator.") && edit->path.ends_with(".value");
  if ((edit != nullptr && !actuates) || std::holds_alternative<ChangeNodes>(command)) update_plots(box);
  if (restarts_world(command)) measure_plots(box);
}

void set(RunBox& box, const std::string& path, const py::object& value) {
  Value wanted;
  {
    const UseRun use(box);
    // The cast is safe, because find_parameter() does not change the tree. A copy would cost more than a small step.
    const ParamRef found = checked(find_parameter(const_cast<Node&>(use->scene()), path));
    wanted = to_value(value, *found.spec, path);
  }
  apply_command(box, SetParameter{path, std::move(wanted)});
}

void assign(RunBox& box, const std::string& text) {
  Assignment wanted;
  {
    const UseRun use(box);
    Node scene = use->scene();
    wanted = checked(parse_assignment(scene, text));
  }
  apply_command(box, SetParameter{std::move(wanted.path), std::move(wanted.value)});
}

py::array array_of(const Shared& box, const std::string& system, const std::string& name) {
  const UseRun use(*box);
  const api::ArrayView view = checked(use->array(system, name));
  const auto rows = static_cast<py::ssize_t>(view.rows), columns = static_cast<py::ssize_t>(view.columns);
  std::vector<py::ssize_t> shape{rows};
  if (columns > 1) shape.push_back(columns);
  const py::object owner = py::cast(std::make_shared<Block>(box, system, name, view));
  py::array array(py::dtype::of<double>(), std::move(shape), view.values.data(), owner);
  py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return array;
}

py::array copied_rows(const api::ArrayCopy& copy) {
  std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(copy.rows)};
  if (copy.columns > 1) shape.push_back(static_cast<py::ssize_t>(copy.columns));
  return copied(copy.values.data(), std::move(shape));
}

py::list channel_list(const std::vector<ChannelInfo>& infos) {
  py::list all;
  for (const ChannelInfo& info : infos) all.append(py::make_tuple(info.name, info.unit));
  return all;
}

py::list array_list(RunBox& box, const std::string& system) {
  const UseRun use(box);
  py::list all;
  for (const api::ArrayInfo& info : checked(use->arrays(system)))
    all.append(py::make_tuple(info.name, info.unit, info.columns));
  return all;
}

py::dict diagnostics(RunBox& box, const std::string& system) {
  const UseRun use(box);
  const Diagnostics found = checked(use->diagnostics(system));
  return py::dict(py::arg("elements") = found.count, py::arg("mass") = found.mass, py::arg("kinetic") = found.kinetic,
                  py::arg("potential") = found.potential, py::arg("elastic") = found.elastic,
                  py::arg("momentum") = from_vec3(found.momentum),
                  py::arg("angular_momentum") = from_vec3(found.angular_momentum),
                  py::arg("center_of_mass") = from_vec3(found.center_of_mass));
}

py::dict totals(RunBox& box, const std::string& system) {
  const UseRun use(box);
  py::dict all;
  for (const Total& total : checked(use->totals(system))) all[py::str(std::string(total.name))] = total.value;
  return all;
}

py::dict signals(RunBox& box) {
  const UseRun use(box);
  py::dict all;
  for (const SignalSnapshot& signal : use->signals()) all[py::str(signal.name)] = signal.value;
  return all;
}

template <class Function>
auto without_gil(const Function& function) {
  const py::gil_scoped_release free;
  return function();
}

// ---- Plots ----

/// Compiles the plots of a run's scene, and checks their names against the systems of the world.
PlotSet compiled_plots(const UseRun& use, Snapshot& scratch) {
  PlotSet plots = checked(plots_of(use.run()));
  use->snapshot(scratch);
  check(plots.check_names(scratch));
  return plots;
}

/// Measures the present values of the curves of all plots over time. Returns a dictionary of plots, whose values are
/// dictionaries of curves. Start values in formulas are those at the first call.
py::dict measure_now(RunBox& box) {
  const UseRun use(box);
  if (!box.meter) {
    Snapshot scratch;
    box.meter = std::make_unique<PlotMeter>(PlotMeter{compiled_plots(use, scratch)});
    subscribe(box);
  }
  PlotMeter& meter = *box.meter;
  use->snapshot(meter.snapshot, false);
  meter.plots.measure(meter.snapshot, meter.row);
  py::dict all;
  for (const PlotPlan& plan : meter.plots.plans()) {
    if (!plan.over_time) continue;
    py::dict curves;
    for (std::size_t c = 0; c < plan.columns.size(); ++c)
      curves[py::str(plan.curves[plan.columns[c].curve].name)] = meter.row.at(plan.first_column + c);
    all[py::str(plan.name)] = curves;
  }
  return all;
}

void record_plots(RunBox& box, bool wanted) {
  const UseRun use(box);
  if (!wanted) {
    box.plots.reset();
    return subscribe(box);
  }
  PlotSet plots = compiled_plots(use, box.snapshot);
  box.plots = std::make_unique<PlotKeeper>(std::move(plots));
  subscribe(box);
  measure_plots(box);
}

/// Returns the curves of a plot as tuples (curve, system, unit, times or abscissas, values).
py::list plot_columns(const PlotKeeper& kept, const PlotPlan& plan, std::size_t number) {
  py::list all;
  for (std::size_t c = 0; c < plan.columns.size(); ++c) {
    const PlotColumn& column = plan.columns[c];
    std::vector<double> x, y;
    if (plan.over_time) {
      const PlotSeries& series = kept.data.series.at(number);
      for (std::size_t row = 0; row < series.size(); ++row) {
        x.push_back(series.time(row));
        y.push_back(series.value(row, c));
      }
    } else if (plan.first_column + c < kept.data.newest.size()) {
      x.push_back(column.x);
      y.push_back(kept.data.newest[plan.first_column + c]);
    }
    const auto rows = static_cast<py::ssize_t>(x.size());
    all.append(py::make_tuple(plan.curves[column.curve].name, column.system, copied(x.data(), {rows}),
                              copied(y.data(), {rows})));
  }
  return all;
}

py::list plot_list(RunBox& box) {
  const UseRun use(box);
  py::list all;
  if (!box.plots) return all;
  PlotKeeper& kept = *box.plots;
  (void)kept.recorder.read(kept.data);  // returns false if the data are up to date
  for (std::size_t i = 0; i < kept.plans.size(); ++i) {
    const PlotPlan& plan = kept.plans[i];
    all.append(py::make_tuple(plan.name, plan.params.title, plan.x_unit, plan.params.unit, plan.over_time,
                              plot_columns(kept, plan, i)));
  }
  return all;
}

// ---- Groups of functions ----

void bind_creation(py::class_<RunBox, Shared>& type) {
  type.def_static("open", &open, py::arg("scene"), py::arg("assignments"), py::arg("strict"), py::arg("base"),
                  py::arg("journal"));
  type.def_static("open_text", &open_text, py::arg("text"), py::arg("name"), py::arg("folder"), py::arg("assignments"),
                  py::arg("journal"));
  type.def_static(
      "resume",
      [](const std::string& path, const std::string& journal) { return resume(api::open_checkpoint(path), journal); },
      py::arg("path"), py::arg("journal"));
  type.def_static(
      "resume_bytes",
      [](const py::bytes& bytes, const std::string& name, const std::string& journal) {
        return resume(api::open_checkpoint_bytes(std::string_view(bytes), name), journal);
      },
      py::arg("bytes"), py::arg("name"), py::arg("journal"));
  type.def_readonly("name", &RunBox::name);
}

void bind_commands(py::class_<RunBox, Shared>& type) {
  type.def("set", &set);
  type.def("assign", &assign);
  type.def("value", [](RunBox& box, const std::string& path) { return to_python(checked(UseRun(box)->value(path))); });
  type.def("pending", [](RunBox& box) {
    py::dict all;
    for (const SetParameter& one : UseRun(box)->pending()) all[py::str(one.path)] = to_python(one.value);
    return all;
  });
  type.def("reset", [](RunBox& box) { apply_command(box, Reset{}); });
  type.def("settle", [](RunBox& box, const std::string& system) { apply_command(box, Settle{system}); });
  type.def("push",
           [](RunBox& box, const std::string& system, std::int64_t element, const py::object& impulse, double radius) {
             apply_command(box, Push{system, element, to_vec3(impulse, "impulse"), radius});
           });
  type.def("grab", [](RunBox& box, const std::string& system, std::int64_t element, const py::object& target,
                      double stiffness) {
    apply_command(box, Grab{system, element, to_vec3(target, "target"), stiffness});
  });
  type.def("move_grab",
           [](RunBox& box, const py::object& target) { apply_command(box, MoveGrab{to_vec3(target, "target")}); });
  type.def("release", [](RunBox& box) { apply_command(box, Release{}); });
  type.def("set_pose", [](RunBox& box, const std::string& system, std::int64_t element, const py::object& position,
                          const py::object& rotation) {
    apply_command(box, SetPose{system, element, to_vec3(position, "position"), to_vec3(rotation, "rotation")});
  });
  type.def("remove",
           [](RunBox& box, const std::string& system, std::int64_t element, const py::object& place, double radius) {
             apply_command(box, Remove{system, element, to_vec3(place, "place"), radius});
           });
  type.def("spawn", [](RunBox& box, const std::string& system, const std::string& species, const py::object& place,
                       std::int64_t count) {
    apply_command(box, Spawn{system, species, to_vec3(place, "place"), count});
  });
  type.def("command_json",
           [](RunBox& box, const std::string& text) { apply_command(box, checked(command_from_json(text))); });
}

void bind_reading(py::class_<RunBox, Shared>& type) {
  type.def("systems", [](RunBox& box) { return UseRun(box)->systems(); });
  type.def("size", [](RunBox& box, const std::string& system) { return checked(UseRun(box)->size(system)); });
  type.def("ids", [](RunBox& box, const std::string& system) {
    const auto ids = checked(UseRun(box)->ids(system));
    return copied(ids.data(), {static_cast<py::ssize_t>(ids.size())});
  });
  type.def("arrays", &array_list);
  type.def("array", &array_of);
  type.def("channels",
           [](RunBox& box, const std::string& system) { return channel_list(checked(UseRun(box)->channels(system))); });
  type.def("channel", [](RunBox& box, const std::string& system, const std::string& name) {
    return copied_rows(checked(UseRun(box)->channel(system, name)));
  });
  type.def("vectors",
           [](RunBox& box, const std::string& system) { return channel_list(checked(UseRun(box)->vectors(system))); });
  type.def("vector", [](RunBox& box, const std::string& system, const std::string& name) {
    return copied_rows(checked(UseRun(box)->vector(system, name)));
  });
  type.def("diagnostics", &diagnostics);
  type.def("totals", &totals);
  type.def("signals", &signals);
  type.def("record_plots", &record_plots);
  type.def("plots", &plot_list);
  type.def("measure", &measure_now);
}

void bind_results(py::class_<RunBox, Shared>& type) {
  type.def("hash", [](RunBox& box) {
    const UseRun use(box);
    return without_gil([&] { return use->hash(); });
  });
  type.def("checkpoint", [](RunBox& box) {
    const UseRun use(box);
    return py::bytes(without_gil([&] { return use->checkpoint_bytes(); }));
  });
  type.def("save", [](RunBox& box, const std::string& path) { check(UseRun(box)->save(path)); });
  type.def("save_journal", [](RunBox& box, const std::string& path) { check(UseRun(box)->save_journal(path)); });
  type.def("finish", [](RunBox& box) { check(UseRun(box)->finish()); });
  type.def("report", [](RunBox& box) { return UseRun(box)->report(); });
  type.def("scene_text", [](RunBox& box) { return UseRun(box)->scene_text(); });
  type.def("scene", [](RunBox& box) {
    const UseRun use(box);
    return std::make_shared<Tree>(use->scene(), box.name);
  });
  type.def("notes", [](RunBox& box) { return UseRun(box)->notes(); });
  type.def("take_warnings", [](RunBox& box) { return UseRun(box)->take_warnings(); });
}

}  // namespace

Shared make_box(api::Run run, std::string name) {
  auto box = std::make_shared<RunBox>();
  box->run.emplace(std::move(run));
  box->name = std::move(name);
  return box;
}

void bind_run(py::module_& module) {
  py::class_<Block, std::shared_ptr<Block>>(module, "Block")
      .def_property_readonly("is_current", &Block::is_current)
      .def_property_readonly("address", &Block::address);
  py::class_<RunBox, Shared> type(module, "Run");
  bind_creation(type);
  bind_steps(type);
  bind_commands(type);
  bind_reading(type);
  bind_results(type);
  bind_pictures(module, type);
}

}  // namespace vw::python

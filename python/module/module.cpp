// The extension module voxwake._core: entry point, exceptions and facts about the library.
#include "python/module/binding.h"
#include "python/module/kept_memory.h"
#include "sim/api/build_info.h"
#include "sim/base/parallel/parallel.h"
#include "sim/scene/scene.h"

namespace vw::python {
namespace {

/// Converts text that a file or a path may have provided. Bytes that are not UTF-8 are replaced.
py::object readable(const std::string& text) {
  PyObject* const made = PyUnicode_DecodeUTF8(text.data(), static_cast<py::ssize_t>(text.size()), "replace");
  if (made == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(made);
}

/// Raises voxwake.Error or voxwake.SimulationError with the parts of the error as attributes.
void raise(const PythonError& thrown) {
  const Error& error = thrown.error;
  const py::object type = py::module_::import("voxwake._errors").attr(thrown.is_failure ? "SimulationError" : "Error");
  const py::object made = type(readable(error.message()));
  made.attr("file") = readable(error.file);
  made.attr("line") = error.line;
  made.attr("key") = readable(error.key);
  made.attr("found") = readable(error.found);
  made.attr("expected") = readable(error.expected);
  made.attr("hint") = readable(error.hint);
  PyErr_SetObject(type.ptr(), made.ptr());
}

py::list packaged_scene_list() {
  py::list all;
  for (const PackagedScene& scene : packaged_scenes())
    all.append(py::dict(py::arg("name") = scene.name, py::arg("title") = scene.title, py::arg("group") = scene.group,
                        py::arg("description") = scene.description, py::arg("path") = scene.path));
  return all;
}

void bind_library(py::module_& module) {
  module.def("build_description", [] { return api::build_info().description; });
  module.def("set_thread_count", [](int threads) {
    if (threads < 0) throw py::value_error("threads = " + std::to_string(threads) + ": must not be negative");
    return set_thread_count(threads);
  });
  module.def("thread_count", [] { return thread_count(); });
  module.def("packaged_scenes", packaged_scene_list);
  module.def("find_scene", [](const std::string& name) { return checked(find_scene(name)); });
  module.def("kept_blocks", [] { return kept_blocks(); });
}

}  // namespace

PYBIND11_MODULE(_core, module) {
  module.doc() = "The library of Voxwake. The package voxwake wraps this module.";
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const PythonError& error) {
      raise(error);
    }
  });
  bind_library(module);
  bind_scene(module);
  bind_run(module);
  bind_analysis(module);
}

}  // namespace vw::python

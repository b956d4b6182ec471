// Analysis without steps (natural modes of voxel bodies, fields of a scene, the matrix of rules), and the comparison of
// two runs.
#include <mutex>

#include "python/module/binding.h"
#include "sim/api/analysis/analysis.h"
#include "sim/api/analysis/compare.h"
#include "sim/api/analysis/fields.h"
#include "sim/api/analysis/rule_matrix.h"

namespace vw::python {
namespace {

py::array_t<double> rows_of(const std::vector<Vec3>& rows) {
  static_assert(sizeof(Vec3) == 3 * sizeof(double));
  return copied(rows.empty() ? nullptr : rows.front().data(), {static_cast<py::ssize_t>(rows.size()), 3});
}

py::dict modes(const Tree& tree, const std::string& body, int count, bool settle) {
  const std::string name = checked(api::choose_voxel_body(tree.root, body));
  auto analysis = checked(api::BodyAnalysis::create(tree.root, name));
  Interrupts interrupts;
  Result<ModalAnalysis> found = [&]() -> Result<ModalAnalysis> {
    const py::gil_scoped_release free;
    if (settle) {
      StaticOptions options;
      options.progress = [&](double, double) { return !interrupts.end_work(); };
      if (const auto settled = analysis.settle(options); !settled) return Unexpected(settled.error());
    }
    ModalOptions options;
    options.count = count;
    options.progress = [&](PairStage, int) { return !interrupts.end_work(); };
    return analysis.modes(options);
  }();
  interrupts.rethrow();
  const ModalAnalysis all = checked(std::move(found));
  py::list list;
  for (const Mode& mode : all.modes)
    list.append(py::dict(py::arg("kind") = std::string(mode_kind_name(mode.kind)), py::arg("hertz") = mode.hertz,
                         py::arg("effective_mass") = from_vec3(mode.effective_mass),
                         py::arg("modal_mass") = mode.modal_mass, py::arg("residual") = mode.residual,
                         py::arg("displacement") = rows_of(mode.displacement),
                         py::arg("rotation") = rows_of(mode.rotation)));
  return py::dict(py::arg("body") = name, py::arg("positions") = rows_of(analysis.positions()),
                  py::arg("voxel_size") = analysis.voxel_edge_m(), py::arg("modes") = list);
}

// ---- Fields ----

/// The fields of a scene. Several threads of Python may call sample() at the same time, because sampling releases the
/// GIL, but only one thread at a time may use the sampler.
struct SharedFields {
  explicit SharedFields(api::Fields opened) : fields(std::move(opened)) {}
  api::Fields fields;
  std::mutex sampling;  ///< locked only without the GIL
};

const AirQuantity& quantity_named(const std::string& name) {
  if (const AirQuantity* found = find_air_quantity(name)) return *found;
  std::vector<std::string> known;
  for (const AirQuantity& quantity : air_quantities()) known.emplace_back(quantity.name);
  throw PythonError{
      wrong_value(0, "quantity", "\"" + name + "\"", "must name a quantity of the air", nearest_word(name, known))
          .value()};
}

void check_field(const api::Fields& fields, const std::string& name) {
  if (name.empty()) return;
  const auto names = fields.names();
  if (!contains(names, name))
    throw PythonError{
        wrong_value(0, "field", "\"" + name + "\"", "must name a field of the scene", nearest_word(name, names))
            .value()};
}

py::array_t<float> sample(SharedFields& shared,
                          const py::array_t<double, py::array::c_style | py::array::forcecast>& points, double time_s,
                          const std::string& quantity, const std::string& field) {
  if (points.ndim() != 2 || points.shape(1) != 3)
    throw PythonError{fail("points: expected an array of the shape (count, 3)").value()};
  api::Fields& fields = shared.fields;
  check_field(fields, field);
  const AirQuantity& wanted = quantity_named(quantity);
  if (!fields.provides(wanted, field))
    throw PythonError{fail(field.empty() ? "no field of the scene has the quantity " + quantity
                                         : "the field \"" + field + "\" does not have the quantity " + quantity)
                          .value()};
  std::vector<py::ssize_t> shape{points.shape(0)};
  if (!wanted.is_number()) shape.push_back(3);
  py::array_t<float> out(std::move(shape));
  const double* rows = points.data();
  const std::span<float> values(out.mutable_data(), static_cast<std::size_t>(out.size()));
  {
    const py::gil_scoped_release free;
    const std::lock_guard lock(shared.sampling);
    fields.sample(
        field, wanted, time_s, static_cast<std::size_t>(points.shape(0)),
        [rows](std::size_t i) { return Vec3(rows[3 * i], rows[3 * i + 1], rows[3 * i + 2]); }, values);
  }
  return out;
}

py::dict field_info(const SharedFields& shared, const std::string& name) {
  if (name.empty()) throw PythonError{wrong_value(0, "field", "\"\"", "must name a field of the scene").value()};
  check_field(shared.fields, name);
  const api::FieldInfo info = shared.fields.info(name);
  return py::dict(py::arg("region") = info.region, py::arg("is_scalar") = info.is_scalar,
                  py::arg("has_pressure") = info.has_pressure, py::arg("length") = info.length_m,
                  py::arg("period") = info.period_m);
}

void bind_fields(py::module_& module) {
  py::class_<SharedFields>(module, "Fields")
      .def(py::init(
          [](const Tree& tree) { return std::make_unique<SharedFields>(checked(api::Fields::open(tree.root))); }))
      .def("names", [](const SharedFields& shared) { return shared.fields.names(); })
      .def("info", &field_info)
      .def("sample", &sample);
}

// ---- Rules ----

py::list rule_matrix_cells(const Tree& tree) {
  const api::RuleMatrix matrix = api::rule_matrix(tree.root);
  py::list cells;
  for (std::size_t row = 0; row < matrix.rows(); ++row)
    for (std::size_t column = 0; column < matrix.columns(row); ++column) {
      const api::RuleCell& cell = matrix.at(row, column);
      std::vector<std::string> possible;
      for (const Schema* schema : cell.possible) possible.push_back(schema->kind);
      cells.append(py::dict(py::arg("a") = matrix.row(row).name, py::arg("b") = matrix.systems[column].name,
                            py::arg("rules") = cell.nodes, py::arg("possible") = possible,
                            py::arg("by_itself") = cell.by_itself, py::arg("description") = cell.says));
    }
  return cells;
}

// ---- Comparison ----

/// Moves the run out of its RunBox during a comparison, and back afterwards. NumPy arrays that refer to the run stay
/// valid.
class Borrowed {
 public:
  explicit Borrowed(const Shared& box) : box_(box), use_(*box), side{box->name, std::move(*box->run)} {
    box->run.reset();
  }
  ~Borrowed() { box_->run.emplace(std::move(side.run)); }
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;

 private:
  Shared box_;
  UseRun use_;

 public:
  api::ComparedRun side;
};

/// Returns the comparison as JSON.
std::string compare(const Shared& a, const Shared& b, std::optional<double> until_s, bool first_only) {
  Borrowed left(a), right(b);
  Interrupts interrupts;
  const api::CompareOptions options{
      .until_s = until_s, .first_only = first_only, .after_step = [&](double) { return !interrupts.end_work(); }};
  std::string found;
  {
    const py::gil_scoped_release free;
    found = api::comparison_json(api::compare_runs(left.side, right.side, options));
  }
  interrupts.rethrow();
  return found;
}

}  // namespace

void bind_analysis(py::module_& module) {
  module.def("voxel_body_names", [](const Tree& tree) { return api::voxel_body_names(tree.root); });
  module.def("modes", &modes);
  module.def("rule_matrix", &rule_matrix_cells);
  module.def("compare", &compare);
  bind_fields(module);
}

}  // namespace vw::python

#include "app/cli/export/air_grid.h"

#include <bit>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/files/atomic_file.h"
#include "sim/base/files/file.h"
#include "sim/export/vtk_xml.h"

namespace vw::cli {
namespace {

static_assert(std::endian::native == std::endian::little, "files are little-endian");

constexpr std::string_view stopped = "interrupted";

std::size_t components(const AirQuantity& quantity) { return quantity.is_number() ? 1 : 3; }

/// Samples a quantity on one grid plane after the other and writes each plane to the file. `all` is the total number of
/// planes in the file. Progress is reported after each plane.
class PlaneWriter {
 public:
  PlaneWriter(AtomicFile& file, api::Fields& fields, const SamplingRequest& order, const KeepGoing& keep_going,
              std::size_t all)
      : file_(file), fields_(fields), order_(order), keep_going_(keep_going), all_(all) {}

  [[nodiscard]] Result<void> write(const AirQuantity& quantity, double time) {
    const AirGrid& grid = order_.grid;
    const std::size_t columns = grid.count[0], plane = columns * grid.count[1];
    const Vec3 first = grid.first(), spacing = grid.spacing();
    values_.resize(plane * components(quantity));
    for (std::size_t k = 0; k < grid.count[2]; ++k) {
      const auto place = [&](std::size_t i) -> Vec3 {
        const std::size_t row = i / columns;
        return first + spacing.cwiseProduct(
                           Vec3(static_cast<double>(i % columns), static_cast<double>(row), static_cast<double>(k)));
      };
      fields_.sample(order_.name, quantity, time, plane, place, values_);
      if (auto good = file_.write({reinterpret_cast<const char*>(values_.data()), values_.size() * sizeof(float)});
          !good)
        return good;
      if (!keep_going_(static_cast<double>(++done_) / static_cast<double>(all_))) return fail(std::string(stopped));
    }
    return {};
  }

 private:
  AtomicFile& file_;
  api::Fields& fields_;
  const SamplingRequest& order_;
  const KeepGoing& keep_going_;
  std::size_t all_, done_ = 0;
  std::vector<float> values_;
};

/// Returns the header of a .npy file (NEP 1): magic number, version, length of the header, and a Python literal. Spaces
/// pad the literal, so that the data begin at a multiple of 64 bytes.
std::string npy_header(const SamplingRequest& order) {
  std::vector<std::size_t> shape{order.grid.count[2], order.grid.count[1], order.grid.count[0]};
  if (order.times.size() > 1) shape.insert(shape.begin(), order.times.size());
  if (components(*order.quantities[0]) > 1) shape.push_back(3);
  std::string literal =
      fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}), }}", fmt::join(shape, ", "));
  constexpr std::size_t before = 10;
  literal.append(63 - (before + literal.size()) % 64, ' ');
  literal += '\n';
  std::string header = "\x93NUMPY";
  header += '\x01';
  header += '\0';
  header += static_cast<char>(literal.size() & 0xFFU);
  header += static_cast<char>(literal.size() >> 8U);
  return header + literal;
}

std::string vti_header(const SamplingRequest& order, double time) {
  const AirGrid& grid = order.grid;
  const Vec3 first = grid.first();
  Vec3 spacing = grid.spacing();
  for (int axis = 0; axis < 3; ++axis)
    if (!(spacing[axis] > 0)) spacing[axis] = 1;
  const std::string extent = fmt::format("0 {} 0 {} 0 {}", grid.count[0] - 1, grid.count[1] - 1, grid.count[2] - 1);
  std::string text =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\">\n";
  text += fmt::format("<ImageData WholeExtent=\"{}\" Origin=\"{} {} {}\" Spacing=\"{} {} {}\">\n", extent, first.x(),
                      first.y(), first.z(), spacing.x(), spacing.y(), spacing.z());
  text += fmt::format(
      "<FieldData><DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
      "format=\"ascii\">{}</DataArray></FieldData>\n",
      time);
  text += fmt::format("<Piece Extent=\"{}\">\n<PointData>\n", extent);
  std::size_t offset = 0;
  for (const AirQuantity* quantity : order.quantities) {
    text += fmt::format(
        "<DataArray type=\"Float32\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" offset=\"{}\"/>\n",
        quantity->name, components(*quantity), offset);
    offset += sizeof(std::uint64_t) + grid.size() * components(*quantity) * sizeof(float);
  }
  return text + "</PointData>\n<CellData/>\n</Piece>\n</ImageData>\n<AppendedData encoding=\"raw\">\n_";
}

Result<void> write_arrays(AtomicFile& file, PlaneWriter& planes, const SamplingRequest& order, double time) {
  for (const AirQuantity* quantity : order.quantities) {
    const std::uint64_t bytes = order.grid.size() * components(*quantity) * sizeof(float);
    if (auto good = file.write({reinterpret_cast<const char*>(&bytes), sizeof(bytes)}); !good) return good;
    if (auto good = planes.write(*quantity, time); !good) return good;
  }
  return {};
}

}  // namespace

Vec3 AirGrid::spacing() const {
  Vec3 step = Vec3::Zero();
  for (int axis = 0; axis < 3; ++axis) {
    const std::size_t n = count[static_cast<std::size_t>(axis)];
    if (n > 1) step[axis] = box.sizes()[axis] / static_cast<double>(n - 1);
  }
  return step;
}

Vec3 AirGrid::first() const {
  Vec3 at = box.min();
  for (int axis = 0; axis < 3; ++axis)
    if (count[static_cast<std::size_t>(axis)] == 1) at[axis] = box.center()[axis];
  return at;
}

bool was_stopped(const Error& error) { return error.what == stopped; }

Result<void> write_npy(const std::string& path, api::Fields& fields, const SamplingRequest& order,
                       const KeepGoing& keep_going) {
  auto file = AtomicFile::open(path);
  if (!file) return Unexpected(file.error());
  if (auto good = file->write(npy_header(order)); !good) return good;
  PlaneWriter planes(*file, fields, order, keep_going, order.grid.count[2] * order.times.size());
  for (const double time : order.times)
    if (auto good = planes.write(*order.quantities[0], time); !good) return good;
  return file->finish();
}

Result<void> write_vti(const std::string& path, api::Fields& fields, const SamplingRequest& order, double time,
                       const KeepGoing& keep_going) {
  auto file = AtomicFile::open(path);
  if (!file) return Unexpected(file.error());
  if (auto good = file->write(vti_header(order, time)); !good) return good;
  PlaneWriter planes(*file, fields, order, keep_going, order.grid.count[2] * order.quantities.size());
  if (auto good = write_arrays(*file, planes, order, time); !good) return good;
  if (auto good = file->write("\n</AppendedData>\n</VTKFile>\n"); !good) return good;
  return file->finish();
}

std::vector<std::string> vti_series_files(const std::string& path, std::size_t count) {
  const std::filesystem::path whole(path);
  const std::string base = (whole.parent_path() / whole.stem()).string();
  std::vector<std::string> files;
  for (std::size_t i = 0; i < count; ++i) files.push_back(fmt::format("{}_{:04}.vti", base, i));
  files.push_back(base + ".pvd");
  return files;
}

Result<void> write_vti_series(const std::string& path, api::Fields& fields, const SamplingRequest& order,
                              const KeepGoing& keep_going) {
  const std::vector<std::string> files = vti_series_files(path, order.times.size());
  std::string list =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" "
      "byte_order=\"LittleEndian\">\n<Collection>\n";
  const auto count = static_cast<double>(order.times.size());
  for (std::size_t i = 0; i < order.times.size(); ++i) {
    const auto share = [&](double of_this) { return keep_going((static_cast<double>(i) + of_this) / count); };
    if (auto good = write_vti(files[i], fields, order, order.times[i], share); !good) return good;
    list += fmt::format("<DataSet timestep=\"{}\" file=\"{}\"/>\n", order.times[i],
                        xml_text(std::filesystem::path(files[i]).filename().string()));
  }
  return write_file_atomic(files.back(), list + "</Collection>\n</VTKFile>\n");
}

}  // namespace vw::cli

// Writes all frames to one VTKHDF file (VTK file formats, "VTKHDF File Format", version 2.1): a PolyData for each piece
// and an ImageData for each grid, each with a group Steps for the times. The file is a PolyData if there is only one
// piece, otherwise a PartitionedDataSetCollection. This format is available only if the C library of HDF5 was found
// when Voxwake was built.
#include "sim/export/writer.h"

#ifdef VOXWAKE_HAVE_HDF5

#include <hdf5.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "sim/base/files/atomic_file.h"

namespace vw {
namespace {

/// Owns an identifier of HDF5. A negative identifier means that the call that returned it failed. An identifier in a
/// file refers to the flag `good` of its output. HDF5 1.10 crashes if a file is closed after a failed write. If `good`
/// is false, the identifier is therefore not closed before the process ends.
class HdfId {
 public:
  using Close = herr_t (*)(hid_t);
  HdfId() = default;
  HdfId(hid_t id, Close how, const bool* good = nullptr) : id_(id), close_(how), good_(good) {}
  HdfId(HdfId&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_), good_(other.good_) {}
  HdfId& operator=(HdfId&& other) noexcept {
    if (this != &other) {
      (void)close();
      id_ = std::exchange(other.id_, -1);
      close_ = other.close_;
      good_ = other.good_;
    }
    return *this;
  }
  ~HdfId() { (void)close(); }
  [[nodiscard]] hid_t get() const { return id_; }
  [[nodiscard]] bool is_open() const { return id_ >= 0; }
  /// Closes the identifier. Returns whether this succeeded.
  bool close() {
    if (id_ < 0) return true;
    if (good_ != nullptr && !*good_) return false;
    return close_(std::exchange(id_, -1)) >= 0;
  }

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
  const bool* good_ = nullptr;
};

/// Writes to an HDF5 file. After a call has failed, all further calls do nothing.
struct HdfOutput {
  bool good = true;

  void check(bool succeeded) { good = good && succeeded; }
  HdfId group(hid_t parent, const char* name) {
    if (!good) return {};
    // Groups and links are kept in the order of their creation, in which readers show them to the user.
    HdfId order(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
    H5Pset_link_creation_order(order.get(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    HdfId made(H5Gcreate2(parent, name, H5P_DEFAULT, order.get(), H5P_DEFAULT), H5Gclose, &good);
    check(made.is_open());
    return made;
  }
  void attribute(hid_t owner, const char* name, hid_t type, const std::vector<hsize_t>& shape, const void* values) {
    if (!good) return;
    const HdfId space(
        shape.empty() ? H5Screate(H5S_SCALAR) : H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr),
        H5Sclose);
    const HdfId made(H5Acreate2(owner, name, type, space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose, &good);
    check(made.is_open() && H5Awrite(made.get(), type, values) >= 0);
  }
  /// Writes type and version as the first attributes of a group. The type is ASCII text of fixed length.
  void kind(hid_t owner, const std::string& type) {
    constexpr std::array<std::int64_t, 2> version{2, 1};
    attribute(owner, "Version", H5T_NATIVE_INT64, {2}, version.data());
    const HdfId text(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(text.get(), type.size());
    H5Tset_strpad(text.get(), H5T_STR_NULLPAD);
    attribute(owner, "Type", text.get(), {}, type.data());
  }
};

/// A data set to which rows are appended.
class GrowingData {
 public:
  /// `row` is the shape of one row: empty for single numbers, {3} for vectors.
  GrowingData(HdfOutput& out, hid_t parent, const char* name, hid_t type, std::vector<hsize_t> row)
      : type_(type), shape_(std::move(row)) {
    shape_.insert(shape_.begin(), 0);
    if (!out.good) return;
    std::vector<hsize_t> most = shape_, chunk = shape_;
    most[0] = H5S_UNLIMITED;
    const hsize_t values = std::accumulate(chunk.begin() + 1, chunk.end(), hsize_t{1}, std::multiplies<>());
    chunk[0] = std::max<hsize_t>(1, 16384 / std::max<hsize_t>(values, 1));
    const HdfId space(H5Screate_simple(static_cast<int>(shape_.size()), shape_.data(), most.data()), H5Sclose);
    const HdfId how(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_chunk(how.get(), static_cast<int>(chunk.size()), chunk.data());
    H5Pset_deflate(how.get(), 1);
    data_ =
        HdfId(H5Dcreate2(parent, name, type, space.get(), H5P_DEFAULT, how.get(), H5P_DEFAULT), H5Dclose, &out.good);
    out.check(data_.is_open());
  }
  [[nodiscard]] std::int64_t rows() const { return static_cast<std::int64_t>(shape_[0]); }

  void append(HdfOutput& out, std::size_t count, const void* values) {
    if (!out.good || count == 0) return;
    std::vector<hsize_t> start(shape_.size(), 0), block = shape_;
    start[0] = shape_[0];
    block[0] = count;
    shape_[0] += count;
    out.check(H5Dset_extent(data_.get(), shape_.data()) >= 0);
    if (!out.good) return;
    const HdfId all(H5Dget_space(data_.get()), H5Sclose);
    const HdfId part(H5Screate_simple(static_cast<int>(block.size()), block.data(), nullptr), H5Sclose);
    H5Sselect_hyperslab(all.get(), H5S_SELECT_SET, start.data(), nullptr, block.data(), nullptr);
    out.check(H5Dwrite(data_.get(), type_, part.get(), all.get(), H5P_DEFAULT, values) >= 0);
  }
  void append_number(HdfOutput& out, std::int64_t value) { append(out, 1, &value); }

 private:
  hid_t type_;
  std::vector<hsize_t> shape_;
  HdfId data_;
};

hid_t hdf_type(const ExportArray& array) {
  const std::array<hid_t, 3> types{H5T_NATIVE_FLOAT, H5T_NATIVE_UINT32, H5T_NATIVE_UINT8};
  return types[array.values.index()];
}

/// The arrays of points, faces or grid points, and the group with the offsets at which each step begins in these
/// arrays.
class HdfArrays {
 public:
  HdfArrays(HdfOutput& out, hid_t root, hid_t steps, const char* data, const char* offsets)
      : data_(out.group(root, data)), offsets_(out.group(steps, offsets)) {}
  /// Appends the rows of the arrays. For a grid, `shape` contains the counts, which precede the shape of a row. An
  /// array that did not exist at the first step is left out, because it has no rows for the earlier steps.
  void append(HdfOutput& out, const std::vector<ExportArray>& arrays, const std::vector<hsize_t>& shape,
              std::size_t rows, bool is_first) {
    if (is_first)
      for (const ExportArray& array : arrays) {
        std::vector<hsize_t> row = shape;
        if (array.columns > 1) row.push_back(array.columns);
        columns_.try_emplace(array.name,
                             Column{GrowingData(out, data_.get(), array.name.c_str(), hdf_type(array), row),
                                    GrowingData(out, offsets_.get(), array.name.c_str(), H5T_NATIVE_INT64, {}),
                                    array.columns, array.values.index()});
      }
    for (auto& [name, column] : columns_) {
      column.offset.append_number(out, column.values.rows());
      const ExportArray* array = find_array(arrays, name);
      if (array != nullptr && array->columns == column.columns && array->values.index() == column.type)
        column.values.append(out, rows, value_bytes(*array).data());
    }
  }

 private:
  struct Column {
    GrowingData values, offset;
    std::size_t columns, type;
  };
  HdfId data_, offsets_;
  std::map<std::string, Column> columns_;
};

/// Cells of one topology: vertices, lines, polygons or strips.
struct HdfCells {
  HdfId group;
  GrowingData cells, ids, connectivity, offsets;
  std::int64_t total = 0;  ///< Number of cells in all steps.

  HdfCells(HdfOutput& out, hid_t root, const char* name)
      : group(out.group(root, name)),
        cells(out, group.get(), "NumberOfCells", H5T_NATIVE_INT64, {}),
        ids(out, group.get(), "NumberOfConnectivityIds", H5T_NATIVE_INT64, {}),
        connectivity(out, group.get(), "Connectivity", H5T_NATIVE_INT64, {}),
        offsets(out, group.get(), "Offsets", H5T_NATIVE_INT64, {}) {}

  /// Appends cells with `corners` points each.
  void append(HdfOutput& out, const std::vector<std::int64_t>& corner, std::size_t corners) {
    std::vector<std::int64_t> begin(corners == 0 ? 1 : corner.size() / corners + 1);
    for (std::size_t i = 0; i < begin.size(); ++i) begin[i] = static_cast<std::int64_t>(i * corners);
    append_cells(out, corner, begin);
  }
  /// Appends one cell that consists of all points, even if there are none. A system may temporarily have no elements,
  /// and after a step without cells, vtkHDFReader 9.4 would use wrong offsets for the next step.
  void append_one(HdfOutput& out, std::size_t points) {
    std::vector<std::int64_t> corner(points);
    std::iota(corner.begin(), corner.end(), std::int64_t{0});
    append_cells(out, corner, {0, static_cast<std::int64_t>(points)});
  }

 private:
  void append_cells(HdfOutput& out, const std::vector<std::int64_t>& corner, const std::vector<std::int64_t>& begin) {
    const auto count = static_cast<std::int64_t>(begin.size()) - 1;
    cells.append_number(out, count);
    ids.append_number(out, static_cast<std::int64_t>(corner.size()));
    connectivity.append(out, corner.size(), corner.data());
    offsets.append(out, begin.size(), begin.data());
    total += count;
  }
};

/// A PolyData that changes over time. Each step has one partition.
class HdfPiece {
 public:
  HdfPiece(HdfOutput& out, hid_t root)
      : steps_(out.group(root, "Steps")),
        points_(out, root, "Points", H5T_NATIVE_FLOAT, {3}),
        point_count_(out, root, "NumberOfPoints", H5T_NATIVE_INT64, {}),
        cells_{HdfCells(out, root, "Vertices"), HdfCells(out, root, "Lines"), HdfCells(out, root, "Polygons"),
               HdfCells(out, root, "Strips")},
        point_data_(out, root, steps_.get(), "PointData", "PointDataOffsets"),
        face_data_(out, root, steps_.get(), "CellData", "CellDataOffsets"),
        part_offset_(out, steps_.get(), "PartOffsets", H5T_NATIVE_INT64, {}),
        parts_(out, steps_.get(), "NumberOfParts", H5T_NATIVE_INT64, {}),
        point_offset_(out, steps_.get(), "PointOffsets", H5T_NATIVE_INT64, {}),
        cell_offset_(out, steps_.get(), "CellOffsets", H5T_NATIVE_INT64, {4}),
        id_offset_(out, steps_.get(), "ConnectivityIdOffsets", H5T_NATIVE_INT64, {4}) {}

  [[nodiscard]] hid_t steps() const { return steps_.get(); }

  void append(HdfOutput& out, const ExportPiece& piece) {
    part_offset_.append_number(out, count_);
    parts_.append_number(out, 1);
    point_offset_.append_number(out, points_.rows());
    std::array<std::int64_t, 4> cell{}, id{};
    for (std::size_t k = 0; k < 4; ++k) cell[k] = cells_[k].total, id[k] = cells_[k].connectivity.rows();
    cell_offset_.append(out, 1, cell.data());
    id_offset_.append(out, 1, id.data());
    points_.append(out, piece.position.size(), piece.position.data());
    point_count_.append_number(out, static_cast<std::int64_t>(piece.position.size()));
    if (piece.corners == 0)
      cells_[0].append_one(out, piece.position.size());
    else
      cells_[0].append(out, {}, 0);
    cells_[1].append(out, {}, 0);
    cells_[2].append(out, {piece.face.begin(), piece.face.end()}, piece.corners);
    cells_[3].append(out, {}, 0);
    point_data_.append(out, piece.point_data, {}, piece.position.size(), count_ == 0);
    face_data_.append(out, piece.face_data, {}, piece.faces(), count_ == 0);
    ++count_;
  }

 private:
  HdfId steps_;
  GrowingData points_, point_count_;
  std::array<HdfCells, 4> cells_;  // Same order as the columns of CellOffsets.
  HdfArrays point_data_, face_data_;
  GrowingData part_offset_, parts_, point_offset_, cell_offset_, id_offset_;
  std::int64_t count_ = 0;
};

/// An ImageData that changes over time. The first axis of its arrays is the time.
class HdfGrid {
 public:
  HdfGrid(HdfOutput& out, hid_t root, const ExportGrid& grid)
      : steps_(out.group(root, "Steps")),
        data_(out, root, steps_.get(), "PointData", "PointDataOffsets"),
        shape_{grid.count[2], grid.count[1], grid.count[0]} {
    std::array<std::int64_t, 6> extent{};
    for (std::size_t axis = 0; axis < 3; ++axis) extent[2 * axis + 1] = static_cast<std::int64_t>(grid.count[axis]) - 1;
    constexpr std::array<double, 9> direction{1, 0, 0, 0, 1, 0, 0, 0, 1};
    out.attribute(root, "WholeExtent", H5T_NATIVE_INT64, {6}, extent.data());
    out.attribute(root, "Origin", H5T_NATIVE_DOUBLE, {3}, grid.origin.data());
    out.attribute(root, "Spacing", H5T_NATIVE_DOUBLE, {3}, grid.spacing.data());
    out.attribute(root, "Direction", H5T_NATIVE_DOUBLE, {9}, direction.data());
  }
  [[nodiscard]] hid_t steps() const { return steps_.get(); }
  void append(HdfOutput& out, const ExportGrid& grid) { data_.append(out, grid.data, shape_, 1, count_++ == 0); }

 private:
  HdfId steps_;
  HdfArrays data_;
  std::vector<hsize_t> shape_;
  std::int64_t count_ = 0;
};

class VtkhdfWriter final : public ExportWriter {
 public:
  VtkhdfWriter(std::string path, AtomicFile target) : path_(std::move(path)), target_(std::move(target)) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // This writer reports errors itself.
    const HdfId access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_file_locking(access.get(), false, true);  // HDF5 must not lock the temporary file, which is already locked.
    H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG);
    file_ = HdfId(H5Fcreate(target_.path_to_write().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get()), H5Fclose,
                  &out_.good);
    out_.check(file_.is_open());
    root_ = out_.group(file_.get(), "VTKHDF");
  }
  ~VtkhdfWriter() override { (void)close_all(); }
  VtkhdfWriter(const VtkhdfWriter&) = delete;
  VtkhdfWriter& operator=(const VtkhdfWriter&) = delete;

  Result<void> add(const Snapshot& /*snapshot*/, const ExportFrame& frame) override {
    if (times_.empty()) begin(frame);
    times_.push_back(frame.time_s);
    for (auto& [name, piece] : pieces_) {
      const auto found = std::ranges::find(frame.pieces, name, &ExportPiece::name);
      piece->append(out_, found == frame.pieces.end() ? ExportPiece{.name = name, .system = {}} : *found);
    }
    for (auto& [name, grid] : grids_) {
      const auto found = std::ranges::find(frame.grids, name, &ExportGrid::name);
      if (found != frame.grids.end()) grid->append(out_, *found);
    }
    for (const ExportPiece& piece : frame.pieces)
      if (!pieces_.contains(piece.name)) late_.insert_or_assign(piece.name, frame.time_s);
    return outcome();
  }

  Result<void> finish() override {
    if (times_.empty()) begin({});
    for (const auto& [name, piece] : pieces_) write_times(piece->steps());
    for (const auto& [name, grid] : grids_) write_times(grid->steps());
    out_.check(file_.is_open() && H5Fflush(file_.get(), H5F_SCOPE_GLOBAL) >= 0);
    out_.check(close_all());
    if (auto good = outcome(); !good) return good;
    return target_.finish();
  }

  std::vector<std::string> notes() const override {
    std::vector<std::string> all;
    for (const auto& [name, time_s] : late_)
      all.push_back(fmt::format(
          "{} first appears at {:g} s, after the first frame, and was not written; export to .pvd to include it", name,
          time_s));
    return all;
  }

 private:
  /// Creates the groups of the pieces and grids that the first frame contains.
  void begin(const ExportFrame& frame) {
    const bool is_single = frame.pieces.size() == 1 && frame.grids.empty();
    if (is_single) {
      out_.kind(root_.get(), "PolyData");
      pieces_.emplace(frame.pieces[0].name, std::make_unique<HdfPiece>(out_, root_.get()));
      return;
    }
    out_.kind(root_.get(), "PartitionedDataSetCollection");
    const HdfId assembly = out_.group(root_.get(), "Assembly");
    std::int64_t index = 0;
    const auto add = [&](const std::string& name, const char* type) {
      // The group "Assembly" exists already. A piece of this name gets a group with another name.
      std::string own = name;
      while (own == "Assembly" ||
             (own != name && std::ranges::find(frame.pieces, own, &ExportPiece::name) != frame.pieces.end()))
        own += "-2";
      HdfId group = out_.group(root_.get(), own.c_str());
      out_.kind(group.get(), type);
      out_.attribute(group.get(), "Index", H5T_NATIVE_INT64, {}, &index);
      ++index;
      // ParaView's tree consists of one group for each part. The group contains a soft link to the part.
      const HdfId leaf = out_.group(assembly.get(), own.c_str());
      out_.check(!out_.good ||
                 H5Lcreate_soft(("/VTKHDF/" + own).c_str(), leaf.get(), own.c_str(), H5P_DEFAULT, H5P_DEFAULT) >= 0);
      return group;
    };
    for (const ExportPiece& piece : frame.pieces) {
      groups_.push_back(add(piece.name, "PolyData"));
      pieces_.emplace(piece.name, std::make_unique<HdfPiece>(out_, groups_.back().get()));
    }
    for (const ExportGrid& grid : frame.grids) {
      groups_.push_back(add(grid.name, "ImageData"));
      grids_.emplace(grid.name, std::make_unique<HdfGrid>(out_, groups_.back().get(), grid));
    }
  }

  void write_times(hid_t steps) {
    const auto count = static_cast<std::int64_t>(times_.size());
    out_.attribute(steps, "NSteps", H5T_NATIVE_INT64, {}, &count);
    GrowingData(out_, steps, "Values", H5T_NATIVE_DOUBLE, {}).append(out_, times_.size(), times_.data());
  }

  /// Closes all objects in the file, and then the file. Returns whether all data were written.
  bool close_all() {
    pieces_.clear();
    grids_.clear();
    groups_.clear();
    const bool root_good = root_.close();
    return file_.close() && root_good;
  }

  [[nodiscard]] Result<void> outcome() const {
    if (out_.good) return {};
    return wrong_file(path_, "cannot be written: HDF5 reports an error; the disk may be full");
  }

  std::string path_;
  AtomicFile target_;
  HdfOutput out_;
  HdfId file_, root_;
  std::vector<HdfId> groups_;
  std::map<std::string, std::unique_ptr<HdfPiece>> pieces_;
  std::map<std::string, std::unique_ptr<HdfGrid>> grids_;
  std::map<std::string, double> late_;
  std::vector<double> times_;
};

}  // namespace

OpenedExport open_vtkhdf(const std::string& path, const ExportOptions& /*options*/) {
  // Without this call, HDF5 would close a file on a full disk when the process ends, and crash. This writer closes all
  // other files itself.
  (void)H5dont_atexit();
  auto target = AtomicFile::open(path);
  if (!target) return Unexpected(target.error());
  return std::make_unique<VtkhdfWriter>(path, std::move(*target));
}

}  // namespace vw

#else

namespace vw {

OpenedExport open_vtkhdf(const std::string& path, const ExportOptions& /*options*/) {
  return wrong_file(path, "this build cannot write .vtkhdf: HDF5 was not found when Voxwake was built");
}

}  // namespace vw

#endif

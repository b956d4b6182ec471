// Writes the elements of all systems in all frames to one NumPy file (.npz), which
// is an uncompressed zip file of arrays (NEP 1; PKWARE APPNOTE 6.3, with the zip64
// fields). For the system `pool` with a constant number of elements, it contains:
//
//   time            (frames)            [s]
//   pool/position   (frames, elements, 3)
//   pool/CHANNEL    (frames, elements) or (frames, elements, columns)
//
// If the number of elements changes, an array has one row for each element of each frame, frame by frame. `pool/first`
// then contains the first row of each frame, followed by the number of rows (frames + 1 values). A frame without the
// system has no rows. A grid has arrays of the shape (frames, nz, ny, nx) or (frames, nz, ny, nx, 3), and the arrays
// `GRID/origin` and `GRID/spacing`.
#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <zlib.h>

#include "sim/base/files/atomic_file.h"
#include "sim/export/spool_file.h"
#include "sim/export/writer.h"

namespace vw {
namespace {

/// Appends an integer of `count` bytes, least significant byte first.
void put_int(std::string& out, std::uint64_t value, int count) {
  for (int i = 0; i < count; ++i) out += static_cast<char>(value >> (8 * i) & 0xFFU);
}

/// Returns the header of an array (NEP 1): magic number, version, length, and a Python literal. The header is padded to
/// a multiple of 64 bytes.
std::string npy_head(const std::string& type, const std::vector<std::size_t>& shape) {
  std::string literal = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", type,
                                    fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  constexpr std::size_t before = 10;
  literal.append(63 - (before + literal.size()) % 64, ' ');
  literal += '\n';
  std::string head = "\x93NUMPY";
  put_int(head, 1, 2);
  put_int(head, literal.size(), 2);
  return head + literal;
}

std::uint32_t crc_of(std::uint32_t crc, std::string_view bytes) {
  return static_cast<std::uint32_t>(
      crc32_z(crc, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<z_size_t>(bytes.size())));
}

/// Returns the checksum of two consecutive byte sequences, computed from their checksums. `size` is the length of the
/// second sequence. On Windows, zlib takes only a 32-bit length, so a longer sequence is added in several pieces.
std::uint32_t crc_of_both(std::uint32_t first, std::uint32_t second, std::uint64_t size) {
  constexpr std::uint64_t piece = 1U << 30U;
  uLong crc = first;
  for (; size > piece; size -= piece) crc = crc32_combine(crc, 0, static_cast<z_off_t>(piece));
  return static_cast<std::uint32_t>(crc32_combine(crc, second, static_cast<z_off_t>(size)));
}

/// Values of one array in all frames.
struct NpzColumn {
  std::string type;  ///< Type in NumPy's notation, such as "<f4".
  std::size_t columns = 1;
  SpoolFile::Array bytes = {};
  std::uint32_t crc = 0;
};

/// An uncompressed zip file whose entries are arrays. The size of an entry must be known when it is begun.
class ZipFile {
 public:
  explicit ZipFile(AtomicFile file) : file_(std::move(file)) {}

  /// Begins an entry and writes its first bytes. The caller must then write `rest` more bytes, whose checksum is `crc`.
  Result<void> begin(const std::string& name, const std::string& head, std::uint32_t crc, std::uint64_t rest) {
    const std::uint64_t size = head.size() + rest;
    const std::uint32_t whole = crc_of_both(crc_of(0, head), crc, rest);
    std::string extra;  // Sizes with 64 bits. The 32-bit fields contain their largest value.
    put_int(extra, 1, 2), put_int(extra, 16, 2), put_int(extra, size, 8), put_int(extra, size, 8);
    std::string text = "PK\x03\x04";
    put_int(text, 45, 2);
    append_common(text, whole);
    put_int(text, name.size(), 2), put_int(text, extra.size(), 2);
    text += name + extra;
    std::string central = "PK\x01\x02";
    put_int(central, 45, 2), put_int(central, 45, 2);
    append_common(central, whole);
    put_int(central, name.size(), 2), put_int(central, extra.size() + 8, 2);
    put_int(central, 0, 2), put_int(central, 0, 2), put_int(central, 0, 2), put_int(central, 0, 4);
    put_int(central, 0xFFFFFFFFU, 4);
    central += name;
    put_int(central, 1, 2), put_int(central, 24, 2);
    put_int(central, size, 8), put_int(central, size, 8), put_int(central, at_, 8);
    directory_ += central;
    ++entries_;
    return write(text + head);
  }
  Result<void> write(std::string_view bytes) {
    at_ += bytes.size();
    return file_.write(bytes);
  }
  /// Writes the directory and gives the file its final name.
  Result<void> finish() {
    const std::uint64_t start = at_;
    if (auto good = write(directory_); !good) return good;
    std::string end = "PK\x06\x06";  // End of the directory with 64-bit fields (zip64).
    put_int(end, 44, 8), put_int(end, 45, 2), put_int(end, 45, 2), put_int(end, 0, 4), put_int(end, 0, 4);
    put_int(end, entries_, 8), put_int(end, entries_, 8), put_int(end, directory_.size(), 8), put_int(end, start, 8);
    end += "PK\x06\x07";
    put_int(end, 0, 4), put_int(end, start + directory_.size(), 8), put_int(end, 1, 4);
    end += "PK\x05\x06";
    put_int(end, 0, 4), put_int(end, 0xFFFFU, 2), put_int(end, 0xFFFFU, 2);
    put_int(end, 0xFFFFFFFFU, 4), put_int(end, 0xFFFFFFFFU, 4), put_int(end, 0, 2);
    if (auto good = write(end); !good) return good;
    return file_.finish();
  }

 private:
  static void append_common(std::string& out, std::uint32_t crc) {
    constexpr unsigned utf8_names = 0x800, midnight_1980 = 0x210000;
    put_int(out, utf8_names, 2), put_int(out, 0, 2), put_int(out, midnight_1980, 4), put_int(out, crc, 4);
    put_int(out, 0xFFFFFFFFU, 4), put_int(out, 0xFFFFFFFFU, 4);
  }

  AtomicFile file_;
  std::string directory_;
  std::uint64_t at_ = 0, entries_ = 0;
};

/// Arrays with equal numbers of rows: the arrays of a system's elements or of a grid's points.
struct NpzGroup {
  std::map<std::string, NpzColumn> columns;
  std::vector<std::uint64_t> first{0};  ///< First row of each frame, followed by the number of rows.
  std::vector<std::size_t> grid;        ///< Number of points along z, y, x of a grid. It is empty for elements.
  Vec3 origin = Vec3::Zero(), spacing = Vec3::Ones();

  [[nodiscard]] bool is_even() const {
    for (std::size_t i = 2; i < first.size(); ++i)
      if (first[i] - first[i - 1] != first[1] - first[0]) return false;
    return first.size() > 1;
  }
};

class NpzWriter final : public ExportWriter {
 public:
  NpzWriter(std::string path, AtomicFile file) : path_(std::move(path)), zip_(std::move(file)) {}

  Result<void> add(const Snapshot& /*snapshot*/, const ExportFrame& frame) override {
    times_.push_back(frame.time_s);
    for (const ExportPiece& piece : frame.pieces) {
      if (piece.role != ExportPiece::Role::elements) continue;
      std::vector<ExportArray> arrays = piece.point_data;
      std::vector<float> position;
      for (const Vec3f& p : piece.position) position.insert(position.end(), {p.x(), p.y(), p.z()});
      arrays.push_back({"position", "m", 3, std::move(position)});
      if (auto good = append(piece.name, arrays, piece.position.size()); !good) return good;
    }
    for (const ExportGrid& grid : frame.grids) {
      if (auto good = append(grid.name, grid.data, grid.size()); !good) return good;
      NpzGroup& group = groups_[grid.name];
      group.grid = {grid.count[2], grid.count[1], grid.count[0]};
      group.origin = grid.origin, group.spacing = grid.spacing;
    }
    for (auto& [name, group] : groups_)
      if (group.first.size() == times_.size()) group.first.push_back(group.first.back());  // this frame lacks the group
    return {};
  }

  Result<void> finish() override {
    if (auto good = write_array("time", "<f8", {times_.size()}, bytes_of(times_)); !good) return good;
    for (auto& [name, group] : groups_) {
      if (auto good = write_group(name, group); !good) return good;
    }
    return zip_.finish();
  }

 private:
  Result<void> append(const std::string& name, const std::vector<ExportArray>& arrays, std::size_t rows) {
    if (!spool_) {
      auto file = SpoolFile::open(path_);
      if (!file) return Unexpected(file.error());
      spool_ = std::move(*file);
    }
    const auto [at, is_new] = groups_.try_emplace(name);
    NpzGroup& group = at->second;
    constexpr std::array<const char*, 3> types{"<f4", "<u4", "|u1"};  // Same order as ExportArray::Values.
    if (is_new) {
      group.first.assign(times_.size(), 0);  // the earlier frames have no rows
      for (const ExportArray& array : arrays)
        group.columns.try_emplace(array.name, NpzColumn{types[array.values.index()], array.columns});
    }
    // If a frame lacks a column, this column is removed from the file. This does not occur for systems of Voxwake.
    std::erase_if(group.columns, [&](const auto& named) { return find_array(arrays, named.first) == nullptr; });
    for (auto& [column_name, column] : group.columns) {
      const std::string_view bytes = value_bytes(*find_array(arrays, column_name));
      column.crc = crc_of(column.crc, bytes);
      if (auto good = spool_->append(column.bytes, bytes); !good) return good;
    }
    group.first.push_back(group.first.back() + rows);
    return {};
  }

  Result<void> write_group(const std::string& name, NpzGroup& group) {
    const bool is_even = group.is_even();
    const std::size_t frames = group.first.size() - 1;
    for (auto& [column_name, column] : group.columns) {
      std::vector<std::size_t> shape;
      if (!group.grid.empty()) {
        shape = group.grid;
        const std::size_t points = shape[0] * shape[1] * shape[2];
        shape.insert(shape.begin(), points > 0 ? group.first.back() / points : 0);
      } else if (is_even) {
        shape = {frames, group.first[1]};
      } else {
        shape = {group.first.back()};
      }
      if (column.columns > 1) shape.push_back(column.columns);
      const std::string head = npy_head(column.type, shape);
      if (auto good = zip_.begin(name + "/" + column_name + ".npy", head, column.crc, column.bytes.size()); !good)
        return good;
      if (auto good = spool_->read(column.bytes, [&](std::string_view part) { return zip_.write(part); }); !good)
        return good;
    }
    if (group.grid.empty() && !is_even)
      return write_array(name + "/first", "<u8", {group.first.size()}, bytes_of(group.first));
    if (group.grid.empty()) return {};
    for (const auto& [what, value] : {std::pair{"/origin", &group.origin}, std::pair{"/spacing", &group.spacing}}) {
      const std::vector<double> numbers(value->data(), value->data() + 3);
      if (auto good = write_array(name + what, "<f8", {3}, bytes_of(numbers)); !good) return good;
    }
    return {};
  }

  Result<void> write_array(const std::string& name, const std::string& type, const std::vector<std::size_t>& shape,
                           std::string_view bytes) {
    if (auto good = zip_.begin(name + ".npy", npy_head(type, shape), crc_of(0, bytes), bytes.size()); !good)
      return good;
    return zip_.write(bytes);
  }

  std::string path_;
  ZipFile zip_;
  std::optional<SpoolFile> spool_;  ///< Contains the values of all arrays.
  std::map<std::string, NpzGroup> groups_;
  std::vector<double> times_;
};

}  // namespace

OpenedExport open_npz(const std::string& path, const ExportOptions& /*options*/) {
  auto file = AtomicFile::open(path);
  if (!file) return Unexpected(file.error());
  return std::make_unique<NpzWriter>(path, std::move(*file));
}

}  // namespace vw

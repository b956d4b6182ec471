// Reads and writes .binvox files, which consist of a text header and run lengths of filled and empty cells. Source:
// Patrick Min's description of the format. The lattice has dim = (nx, nz, ny) cells with y up, and cell (x, y, z) has
// the index (x nz + z) ny + y, so y varies fastest.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "sim/scene/designs/vox_file.h"
#include "sim/scene/designs/voxel_design.h"
#include "sim/scene/designs/vxa_parts.h"
#include "sim/scene/toml/text.h"
#include "sim/system/voxel/lattice/lattice.h"

namespace vw {
namespace {

constexpr int most_header_lines = 100;
constexpr std::size_t longest_header_line = 1000;
constexpr std::int64_t longest_axis = 1'000'000;  // the product of three such lengths fits into 64 bits
constexpr std::size_t longest_run = 255;          // a run length is one byte
constexpr std::size_t longest_written_axis = 1024;

struct BinvoxHeader {
  int version = 1;
  std::int64_t nx = 0, ny = 0, nz = 0;
  double scale = 1;  ///< length of the longest edge of the lattice [m]
  std::size_t data = 0;
  [[nodiscard]] std::int64_t cells() const { return nx * ny * nz; }
};

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t at = line.find_first_not_of(" \t"); at != std::string_view::npos;
       at = line.find_first_not_of(" \t", at)) {
    const std::size_t end = std::min(line.find_first_of(" \t", at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

class BinvoxParser {
 public:
  BinvoxParser(std::string_view bytes, const std::string& file) : bytes_(bytes), file_(file) {}

  Result<VoxelDesign> run() {
    read_header();
    if (!error_) check_header();
    if (!error_) find_bounds();
    if (!error_) fill();
    if (error_) return fail(*error_);
    return std::move(design_);
  }

 private:
  /// Records an error, unless an error is already recorded.
  void refuse(int line, std::string key, std::string found, std::string expected) {
    if (error_) return;
    error_.emplace();
    error_->file = file_;
    error_->line = line;
    error_->key = std::move(key);
    error_->found = std::move(found);
    error_->expected = std::move(expected);
  }

  void read_header() {
    std::size_t at = 0;
    for (int number = 1; number <= most_header_lines && !error_; ++number) {
      const std::string_view rest = bytes_.substr(at, longest_header_line + 1);
      const std::size_t end = rest.find('\n');
      if (number == 1 && !rest.starts_with("#binvox"))
        return refuse(1, "", fmt::format("\"{}\"", one_line(rest.substr(0, std::min<std::size_t>(end, 20)), 20)),
                      "must be \"#binvox 1\"; the file is not a binvox file");
      if (end == std::string_view::npos)
        return refuse(number, "", rest.size() > longest_header_line ? "a long line" : "the end of the file",
                      "the header must end with a line \"data\"");
      at += end + 1;
      const std::string_view line = rest.substr(0, end);
      const auto words = words_of(line.ends_with('\r') ? line.substr(0, end - 1) : line);
      if (words.size() == 1 && words[0] == "data") {
        header_.data = at;
        return;
      }
      if (!words.empty()) read_line(number, words);
    }
    refuse(most_header_lines, "", fmt::format("{} lines", most_header_lines),
           "the header must end with a line \"data\"");
  }

  /// Reads a line of the header. Lines that begin with other words are ignored, as the format specifies.
  void read_line(int number, const std::vector<std::string_view>& words) {
    const auto values = [&](std::size_t count) {
      if (words.size() != count + 1)
        refuse(number, std::string(words[0]), fmt::format("{} values", words.size() - 1),
               fmt::format("must have {}", count));
      return !error_;
    };
    if (number == 1 && values(1)) {
      header_.version = words[1] == "1" ? 1 : words[1] == "2" ? 2 : 0;
      if (header_.version == 0) refuse(1, "#binvox", one_line(words[1], 20), "must be version 1 or 2");
    } else if (words[0] == "dim" && values(3)) {
      dim_line_ = number;
      std::int64_t* const lengths[] = {&header_.nx, &header_.nz, &header_.ny};
      for (std::size_t i = 0; i < 3; ++i) *lengths[i] = length(number, words[i + 1]);
    } else if (words[0] == "scale" && values(1)) {
      scale_line_ = number;
      header_.scale = finite(number, words[0], words[1]);
    } else if (words[0] == "translate" && values(3)) {
      for (std::size_t i = 1; i < 4; ++i) (void)finite(number, words[0], words[i]);
    }
  }

  std::int64_t length(int line, std::string_view word) {
    std::int64_t n = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), n);
    if (error == std::errc() && end == word.data() + word.size() && n >= 1 && n <= longest_axis) return n;
    refuse(line, "dim", one_line(word, 40), fmt::format("must be three whole numbers from 1 to {}", longest_axis));
    return 1;
  }

  double finite(int line, std::string_view key, std::string_view word) {
    const std::optional<double> x = read_number(word);
    if (x && std::isfinite(*x)) return *x;
    refuse(line, std::string(key), one_line(word, 40), "must be a finite number");
    return 0;
  }

  void check_header() {
    if (dim_line_ == 0) return refuse(0, "header", "no line \"dim\"", "must have the numbers of cells");
    design_.edge_m = header_.scale / static_cast<double>(std::max({header_.nx, header_.ny, header_.nz}));
    const Bounds edge = spec_of(voxel_body_schema(), "voxel_size").bounds;
    if (!(design_.edge_m >= edge.min && design_.edge_m <= edge.max))
      return refuse(scale_line_, "scale", fmt::format("{:g}", header_.scale),
                    fmt::format("the edge of a voxel, scale divided by the largest dim, is {:g} m and must lie in "
                                "[{:g}, {:g}] m",
                                design_.edge_m, edge.min, edge.max));
    const std::size_t data = bytes_.size() - header_.data;
    if (static_cast<std::size_t>(header_.cells()) > longest_run * (data / 2))
      refuse(dim_line_, "dim", fmt::format("{} {} {}", header_.nx, header_.nz, header_.ny),
             fmt::format("the file has {} bytes of data after byte {}, which describe at most {} cells", data,
                         header_.data, longest_run * (data / 2)));
  }

  /// Calls use(index of the first cell, number of cells, value) for each run with a value other than 0.
  template <class F>
  void for_each_run(F use) {
    const std::int64_t cells = header_.cells();
    std::int64_t index = 0;
    std::size_t at = header_.data;
    const auto byte = [&](std::size_t i) { return static_cast<int>(static_cast<unsigned char>(bytes_[i])); };
    const auto key = [&] { return fmt::format("run at byte {}", at); };
    for (; index < cells; at += 2) {
      if (bytes_.size() - at < 2)
        return refuse(0, key(), fmt::format("{} bytes after {} of {} cells", bytes_.size() - at, index, cells),
                      "must have 2 bytes, a value and a run length");
      const int value = byte(at), run = byte(at + 1);
      if (value > 1 && header_.version == 1) return refuse(0, key(), fmt::format("value {}", value), "must be 0 or 1");
      if (run == 0) return refuse(0, key(), "run length 0", fmt::format("must be 1 to {}", longest_run));
      if (run > cells - index)
        return refuse(0, key(), fmt::format("run length {}", run),
                      fmt::format("must be at most {}, the number of cells that remain", cells - index));
      if (value != 0) use(index, run, value);
      if (error_) return;
      index += run;
    }
    if (at != bytes_.size())
      refuse(0, fmt::format("byte {}", at), fmt::format("{} more bytes", bytes_.size() - at),
             fmt::format("the file must end after {} cells", cells));
  }

  /// Splits a run into sections that each lie in one row along y, and calls use(x, y, y_end, z) for each section.
  template <class F>
  void for_each_row(std::int64_t index, int run, F use) const {
    for (std::int64_t left = run; left > 0;) {
      const std::int64_t y = index % header_.ny, row = index / header_.ny;
      const std::int64_t count = std::min(left, header_.ny - y);
      use(row / header_.nz, y, y + count, row % header_.nz);
      index += count;
      left -= count;
    }
  }

  /// Checks all runs, and finds the smallest box that contains the filled cells.
  void find_bounds() {
    low_.fill(std::numeric_limits<std::int64_t>::max());
    high_.fill(-1);
    std::size_t filled = 0;
    for_each_run([&](std::int64_t index, int run, int value) {
      filled += static_cast<std::size_t>(run);
      if (filled > max_lattice_cells)
        return refuse(0, "data", "more filled cells", fmt::format("must have at most {}", max_lattice_cells));
      used_[static_cast<std::size_t>(value)] = true;
      for_each_row(index, run, [&](std::int64_t x, std::int64_t y, std::int64_t y_end, std::int64_t z) {
        low_ = {std::min(low_[0], x), std::min(low_[1], y), std::min(low_[2], z)};
        high_ = {std::max(high_[0], x), std::max(high_[1], y_end - 1), std::max(high_[2], z)};
      });
    });
    if (error_) return;
    if (filled == 0) return refuse(0, "data", "no filled cell", "must have at least one");
    const std::array<std::int64_t, 3> size{high_[0] - low_[0] + 1, high_[1] - low_[1] + 1, high_[2] - low_[2] + 1};
    if (static_cast<double>(size[0]) * static_cast<double>(size[1]) * static_cast<double>(size[2]) >
        static_cast<double>(max_lattice_cells))
      return refuse(0, "data", fmt::format("filled cells within {} x {} x {} cells", size[0], size[1], size[2]),
                    fmt::format("must lie within at most {} cells", max_lattice_cells));
    design_.nx = static_cast<std::size_t>(size[0]);
    design_.ny = static_cast<std::size_t>(size[2]);
    design_.nz = static_cast<std::size_t>(size[1]);
  }

  void fill() {
    const VoxPalette palette = default_vox_palette();
    std::array<std::uint16_t, 256> code_of{};
    for (std::size_t value = 1; value < used_.size(); ++value) {
      if (!used_[value]) continue;
      const bool single = header_.version == 1;
      DesignMaterial material = default_design_material(single ? "material" : fmt::format("value_{}", value));
      if (!single)
        for (std::size_t c = 0; c < 3; ++c) material.display_rgb[static_cast<int>(c)] = palette[value][c] / 255.0;
      design_.materials.push_back(std::move(material));
      code_of[value] = static_cast<std::uint16_t>(design_.materials.size());
    }
    design_.code.assign(design_.cells(), 0);
    for_each_run([&](std::int64_t index, int run, int value) {
      for_each_row(index, run, [&](std::int64_t x, std::int64_t y, std::int64_t y_end, std::int64_t z) {
        // The file's y is the design's z, and the file's z is the design's -y.
        const std::int64_t ny = high_[2] - low_[2] + 1, nx = high_[0] - low_[0] + 1;
        for (std::int64_t up = y; up < y_end; ++up)
          design_.code[static_cast<std::size_t>(x - low_[0] + nx * (high_[2] - z + ny * (up - low_[1])))] =
              code_of[static_cast<std::size_t>(value)];
      });
    });
  }

  std::string_view bytes_;
  const std::string& file_;
  std::optional<Error> error_;
  BinvoxHeader header_;
  int dim_line_ = 0, scale_line_ = 0;
  std::array<std::int64_t, 3> low_{}, high_{};  ///< bounds of the filled cells in the axes of the file
  std::array<bool, 256> used_{};
  VoxelDesign design_;
};

/// Joins equal cells into runs of at most 255 cells.
class RunWriter {
 public:
  void add(bool filled, std::size_t cells) {
    if (cells == 0) return;
    if (filled != filled_) flush();
    filled_ = filled;
    cells_ += cells;
  }
  std::string bytes() && {
    flush();
    return std::move(bytes_);
  }

 private:
  void flush() {
    for (; cells_ > 0; cells_ -= std::min(cells_, longest_run)) {
      bytes_ += static_cast<char>(filled_ ? 1 : 0);
      bytes_ += static_cast<char>(std::min(cells_, longest_run));
    }
  }
  std::string bytes_;
  bool filled_ = false;
  std::size_t cells_ = 0;
};

/// Returns a scale that gives exactly the bits of `edge_m` when divided by n. If there is no such scale, returns a
/// number close to it.
double scale_for(double edge_m, double n) {
  double scale = edge_m * n;
  for (int i = 0; i < 8 && scale / n != edge_m; ++i)
    scale = std::nextafter(scale, scale / n < edge_m ? HUGE_VAL : -HUGE_VAL);
  return scale;
}

}  // namespace

Result<VoxelDesign> parse_binvox(std::string_view bytes, const std::string& file) {
  return BinvoxParser(bytes, file).run();
}

Result<LoadedScene> read_binvox(const std::string& bytes, const std::string& file, const LoadOptions& options) {
  auto design = parse_binvox(bytes, file);
  if (!design) return Unexpected(design.error());
  return finish_design(std::move(*design), file, options);
}

Result<std::string> design_to_binvox(const VoxelDesign& design) {
  const std::size_t n = std::max({design.nx, design.ny, design.nz});
  if (n > longest_written_axis)
    return fail(
        fmt::format("has {} cells along its longest edge: a .binvox file is a cube of at most {} cells along "
                    "each edge",
                    n, longest_written_axis));
  RunWriter runs;
  for (std::size_t x = 0; x < design.nx; ++x) {
    for (std::size_t z = 0; z < design.ny; ++z) {
      for (std::size_t y = 0; y < design.nz; ++y)
        runs.add(design.code[x + design.nx * (design.ny - 1 - z + design.ny * y)] != 0, 1);
      runs.add(false, n - design.nz);
    }
    runs.add(false, n * (n - design.ny));
  }
  runs.add(false, n * n * (n - design.nx));
  return fmt::format("#binvox 1\ndim {0} {0} {0}\ntranslate 0 0 0\nscale {1}\ndata\n", n,
                     scale_for(design.edge_m, static_cast<double>(n))) +
         std::move(runs).bytes();
}

}  // namespace vw

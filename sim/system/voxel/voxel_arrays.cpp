// Allocates the columns of the vector code, and copies data between these columns and the rows of Elements.
#include "sim/system/voxel/voxel_arrays.h"

#include <algorithm>
#include <utility>

namespace vw {
namespace {

constexpr std::size_t alignment = 64 / sizeof(double), page = 4096 / sizeof(double);

/// Returns the number of doubles from `data` to the next address at which column `column` should start. Each column
/// starts at a different offset within a page. Columns with equal offsets would compete for the same few lines of the
/// first-level cache.
std::size_t staggered(const double* data, std::size_t column) {
  const std::size_t address = reinterpret_cast<std::uintptr_t>(data) / sizeof(double),
                    place = column * 9 * alignment % page;
  return (place + page - address % page) % page;
}

/// Returns the number of doubles from `data` to the start of the next cache line.
std::size_t misaligned(const double* data) {
  return (alignment - reinterpret_cast<std::uintptr_t>(data) / sizeof(double) % alignment) % alignment;
}

/// Returns the smallest suitable stride between columns, at least `lines` cache lines. A page has 64 cache lines, and
/// column k starts at line (k * stride) modulo 64 of a page. With a suitable stride, the starts of any two of the 13
/// columns are at least three lines apart, so that the columns do not compete for the same lines of the first-level
/// cache.
std::size_t lines_between_columns(std::size_t lines) {
  constexpr std::size_t page_lines = page / alignment;
  constexpr auto steps = std::to_array<std::size_t>({3, 5, 15, 17, 23, 25, 27, 37, 39, 41, 47, 49, 59, 61});
  while (std::find(steps.begin(), steps.end(), lines % page_lines) == steps.end()) ++lines;
  return lines;
}

void load_rows(const std::vector<Vec3>& rows, std::array<PaddedArray, 3>& columns) {
  for (std::size_t k = 0; k < 3; ++k) {
    double* out = columns[k].data();
    for (std::size_t v = 0; v < rows.size(); ++v) out[v] = rows[v][static_cast<Eigen::Index>(k)];
  }
}

void store_rows(const std::array<PaddedArray, 3>& columns, std::vector<Vec3>& rows) {
  for (std::size_t v = 0; v < rows.size(); ++v) rows[v] = {columns[0][v], columns[1][v], columns[2][v]};
}

void exchange_rows(std::array<PaddedArray, 3>& columns, std::vector<Vec3>& rows) {
  for (std::size_t v = 0; v < rows.size(); ++v)
    for (std::size_t k = 0; k < 3; ++k) std::swap(columns[k][v], rows[v][static_cast<Eigen::Index>(k)]);
}

}  // namespace

void PaddedArray::assign(std::size_t count, double value, std::size_t column) {
  *this = {};
  if (count == 0) return;
  // An array is not staggered but only aligned if it is not read together with other arrays or is shorter than a page.
  // The extra page that staggering needs would dominate the memory of a small body.
  const bool small = column == 0 || count + padding < page;
  storage_.assign(count + padding + (small ? alignment : page + alignment), value);
  data_ = storage_.data() + (small ? misaligned(storage_.data()) : staggered(storage_.data(), column));
  size_ = count;
}

void PaddedArray::place(double* data, std::size_t count) {
  storage_ = {};
  data_ = data;
  size_ = count;
}

void VoxelArrays::resize(std::size_t count) {
  constexpr std::size_t columns = 13;
  const std::size_t stride =
      lines_between_columns((count + PaddedArray::padding + alignment - 1) / alignment) * alignment;
  memory_.assign(columns * stride * sizeof(double));
  auto* next = static_cast<double*>(memory_.data());
  const auto place = [&](PaddedArray& column) {
    column.place(next, count);
    next += stride;
  };
  for (PaddedArray& column : position) place(column);
  for (PaddedArray& column : velocity) place(column);
  for (PaddedArray& column : angular_velocity) place(column);
  for (PaddedArray& column : orientation) place(column);
}

void VoxelArrays::load(const Elements& elements) {
  const std::size_t n = elements.size();
  if (size() != n) resize(n);
  load_rows(elements.position, position);
  load_rows(elements.velocity, velocity);
  load_rows(elements.angular_velocity, angular_velocity);
  for (std::size_t v = 0; v < n; ++v) {
    const Quat& q = elements.orientation[v];
    orientation[0][v] = q.w(), orientation[1][v] = q.x(), orientation[2][v] = q.y(), orientation[3][v] = q.z();
  }
}

void VoxelArrays::store(Elements& elements) const {
  store_rows(position, elements.position);
  store_rows(velocity, elements.velocity);
  store_rows(angular_velocity, elements.angular_velocity);
  for (std::size_t v = 0; v < size(); ++v) elements.orientation[v] = orientation_of(v);
}

void VoxelArrays::exchange(Elements& elements) {
  exchange_rows(position, elements.position);
  exchange_rows(velocity, elements.velocity);
  exchange_rows(angular_velocity, elements.angular_velocity);
  for (std::size_t v = 0; v < size(); ++v) {
    const Quat q = elements.orientation[v];
    elements.orientation[v] = orientation_of(v);
    orientation[0][v] = q.w(), orientation[1][v] = q.x(), orientation[2][v] = q.y(), orientation[3][v] = q.z();
  }
}

void SparseLoads::resize(std::size_t voxels) {
  for (std::size_t k = 0; k < 3; ++k) {
    force_[k].assign(voxels, 0.0);
    moment_[k].assign(voxels, 0.0);
  }
  mark_.assign((voxels + group - 1) / group, 0);
}

void SparseLoads::clear() {
  for (std::size_t g = 0; g < mark_.size(); ++g) {
    if (mark_[g] == 0) continue;
    mark_[g] = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      std::fill_n(force_[k].data() + g * group, group, 0.0);
      std::fill_n(moment_[k].data() + g * group, group, 0.0);
    }
  }
}

}  // namespace vw

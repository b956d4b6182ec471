// Writes one OpenVDB file for each frame and each system of particles or fluid, and one for the wind. The file of a
// system has the grids `density` (fraction of a cell that elements fill) and `velocity` (mean over the elements around
// a grid point [m/s]). The file of the wind has one grid for each array of the ExportGrid. This format is available
// only if the library OpenVDB was found when Voxwake was built.
#include "sim/export/writer.h"

#ifdef VOXWAKE_HAVE_OPENVDB

#include <openvdb/io/Stream.h>
#include <openvdb/openvdb.h>

#include <cmath>
#include <filesystem>
#include <sstream>
#include <utility>

#include "sim/base/files/file.h"
#include "sim/export/series_index.h"

namespace vw {
namespace {

/// Largest absolute grid coordinate. Elements beyond it are left out.
constexpr float farthest_cell = 1e8F;

/// Returns the edge of the grid cells for a system [m], or 0 if its elements have no size.
float cell_of(const SystemSnapshot& system) {
  if (const float spacing_m = spacing_of_fluid(system); spacing_m > 0) return spacing_m;
  double sum = 0;
  for (const float r : system.size) sum += std::isfinite(r) ? static_cast<double>(r) : 0;
  return system.size.empty() ? 0 : static_cast<float>(2 * sum / static_cast<double>(system.size.size()));
}

/// Returns the fraction of the volume of a cell that an element fills.
float filling_of(const SystemSnapshot& system, std::size_t i, float cell) {
  if (spacing_of_fluid(system) > 0) return 1;
  const float r = i < system.size.size() ? system.size[i] / cell : 0.5F;
  return static_cast<float>(4 * pi / 3) * r * r * r;
}

/// Returns the density and velocity of the elements on a grid. Each element is distributed over the eight surrounding
/// grid points.
openvdb::GridPtrVec grids_of_elements(const SystemSnapshot& system) {
  auto density = openvdb::FloatGrid::create(0);
  auto velocity = openvdb::Vec3SGrid::create(openvdb::Vec3s(0));
  const float cell = cell_of(system);
  if (cell > 0) {
    auto amount = density->getAccessor();
    auto motion = velocity->getAccessor();
    for (std::size_t i = 0; i < system.position.size(); ++i) {
      const Vec3f at = system.position[i] / cell;
      const float filling = filling_of(system, i, cell);
      if (!at.allFinite() || at.cwiseAbs().maxCoeff() > farthest_cell || !std::isfinite(filling)) continue;
      const Vec3f v = i < system.velocity.size() && system.velocity[i].allFinite() ? system.velocity[i] : Vec3f::Zero();
      const Vec3f low = at.array().floor();
      for (int corner = 0; corner < 8; ++corner) {
        const Vec3f step(static_cast<float>(corner & 1), static_cast<float>(corner >> 1 & 1),
                         static_cast<float>(corner >> 2));
        const float weight = (Vec3f::Ones() - (at - low - step).cwiseAbs()).prod() * filling;
        if (!(weight > 0)) continue;
        const Vec3f point = low + step;
        const openvdb::Coord where(static_cast<int>(point.x()), static_cast<int>(point.y()),
                                   static_cast<int>(point.z()));
        amount.setValue(where, amount.getValue(where) + weight);
        motion.setValue(where, motion.getValue(where) + openvdb::Vec3s(v.x(), v.y(), v.z()) * weight);
      }
    }
    for (auto value = velocity->beginValueOn(); value; ++value)
      value.setValue(*value / amount.getValue(value.getCoord()));
    const auto transform = openvdb::math::Transform::createLinearTransform(static_cast<double>(cell));
    density->setTransform(transform);
    velocity->setTransform(transform->copy());
  }
  density->setName("density");
  density->setGridClass(openvdb::GRID_FOG_VOLUME);
  velocity->setName("velocity");
  velocity->setVectorType(openvdb::VEC_CONTRAVARIANT_RELATIVE);
  return {density, velocity};
}

template <class Grid, class Value>
typename Grid::Ptr dense_grid(const ExportGrid& grid, const Value& value_at) {
  auto out = Grid::create();
  auto access = out->getAccessor();
  for (std::size_t i = 0; i < grid.size(); ++i) {
    const std::size_t row = i / grid.count[0];
    access.setValue(openvdb::Coord(static_cast<int>(i % grid.count[0]), static_cast<int>(row % grid.count[1]),
                                   static_cast<int>(row / grid.count[1])),
                    value_at(i));
  }
  auto transform = openvdb::math::Transform::createLinearTransform();
  transform->preScale(openvdb::Vec3d(grid.spacing.x(), grid.spacing.y(), grid.spacing.z()));
  transform->postTranslate(openvdb::Vec3d(grid.origin.x(), grid.origin.y(), grid.origin.z()));
  out->setTransform(transform);
  return out;
}

openvdb::GridPtrVec grids_of_samples(const ExportGrid& grid) {
  openvdb::GridPtrVec all;
  for (const ExportArray& array : grid.data) {
    const auto* values = std::get_if<std::vector<float>>(&array.values);
    if (values == nullptr) continue;
    openvdb::GridBase::Ptr made;
    if (array.columns == 3)
      made = dense_grid<openvdb::Vec3SGrid>(grid, [&](std::size_t i) {
        return openvdb::Vec3s((*values)[3 * i], (*values)[3 * i + 1], (*values)[3 * i + 2]);
      });
    else
      made = dense_grid<openvdb::FloatGrid>(grid, [&](std::size_t i) { return (*values)[i]; });
    made->setName(array.name);
    all.push_back(made);
  }
  return all;
}

class VdbWriter final : public ExportWriter {
 public:
  VdbWriter(const std::string& path, const ExportOptions& options)
      : folder_(series_folder(path)), options_(options), index_(path, options) {}

  Result<void> add(const Snapshot& snapshot, const ExportFrame& frame) override {
    for (const SystemSnapshot& system : snapshot.systems) {
      if (system.look_kind() != LookKind::spheres && system.look_kind() != LookKind::fluid) continue;
      if (!options_.frame.system.empty() && options_.frame.system != system.name) continue;
      const auto color = system.position.empty() ? std::array<float, 4>{0.8F, 0.8F, 0.8F, 1} : element_color(system, 0);
      if (auto good = write(system.name, "elements", color, [&] { return grids_of_elements(system); }); !good)
        return good;
    }
    for (const ExportGrid& grid : frame.grids)
      if (auto good = write(grid.name, "wind", {1, 1, 1, 1}, [&] { return grids_of_samples(grid); }); !good)
        return good;
    ++frames_;
    return {};
  }
  Result<void> finish() override { return index_.write(frames_); }

  std::vector<std::string> notes() const override {
    if (wrote_) return {};
    return {"the frames contain no particles, fluid or wind, so no .vdb file was written"};
  }

 private:
  template <class MakeGrids>
  Result<void> write(const std::string& name, const char* role, const std::array<float, 4>& color,
                     const MakeGrids& make_grids) {
    const std::string file = frame_file(name, frames_, ".vdb");
    const std::string path = (std::filesystem::path(folder_) / file).string();
    std::ostringstream bytes;
    try {
      openvdb::io::Stream(bytes).write(make_grids());
    } catch (const std::exception& error) {
      return wrong_file(path, std::string("cannot be written: ") + error.what());
    }
    wrote_ = true;
    index_.add(name, role, "vdb", name + "_######.vdb", frames_, color);
    return write_file_atomic(path, bytes.view());
  }

  std::string folder_;
  ExportOptions options_;
  std::size_t frames_ = 0;
  bool wrote_ = false;
  SeriesIndex index_;
};

}  // namespace

OpenedExport open_vdb(const std::string& path, const ExportOptions& options) {
  openvdb::initialize();
  if (auto good = make_series_folder(path); !good) return Unexpected(good.error());
  return std::make_unique<VdbWriter>(path, options);
}

}  // namespace vw

#else

namespace vw {

OpenedExport open_vdb(const std::string& path, const ExportOptions& /*options*/) {
  return wrong_file(path, "this build cannot write .vdb: OpenVDB was not found when Voxwake was built");
}

}  // namespace vw

#endif

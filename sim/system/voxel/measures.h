// What can be read off a voxel body without changing it: energies, momenta, channels for pictures, and whether it is still sane.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sim/system/system.h"
#include "sim/system/voxel/bond_force.h"

namespace vw {

/// A body as its measures see it.
struct BodyView {
  const LatticeTopology* topology = nullptr;
  const LatticeConstants* constants = nullptr;
  const Elements* elements = nullptr;
  BondView bonds;
  VoxelView voxels;
};

/// Energy of bonds [J] and of the volumetric part of the Poisson effect. Energy in contact springs is not counted.
[[nodiscard]] double elastic_energy(const BodyView& body);
[[nodiscard]] double kinetic_energy(const BodyView& body);
[[nodiscard]] Diagnostics measure(const BodyView& body, const Vec3& gravity);

/// Largest |axial strain| of a voxel's bonds; largest |axial force| / s^2 [Pa]; elastic energy, each bond's shared by its two voxels [J].
void voxel_strain(const BodyView& body, std::vector<float>& out);
void voxel_stress(const BodyView& body, std::vector<float>& out);
void voxel_elastic_energy(const BodyView& body, std::vector<float>& out);
void voxel_kinetic_energy(const BodyView& body, std::vector<float>& out);

/// Not finite, a bond stretched beyond sense, or a kinetic energy that grew beyond sense since `kinetic_before` [J].
[[nodiscard]] std::optional<HealthIssue> find_issue(const BodyView& body, double kinetic_before);

}  // namespace vw

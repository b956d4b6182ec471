#include "sim/system/rigid/feelers.h"

#include <cmath>

#include "sim/collision/mesh/triangle_mesh.h"

namespace vw {
namespace {

void add(const PlaneShape&, std::vector<Feeler>&) {}

void add(const SphereShape& s, std::vector<Feeler>& out) { out.push_back({Vec3::Zero(), s.radius_m}); }

/// A lattice on the faces: corners first, they are what rests on flat ground.
void add(const BoxShape& s, std::vector<Feeler>& out) {
  constexpr int parts = 4;
  const auto is_end = [](int k) { return k == 0 || k == parts; };
  for (const bool corners : {true, false})
    for (int x = 0; x <= parts; ++x)
      for (int y = 0; y <= parts; ++y)
        for (int z = 0; z <= parts; ++z) {
          const bool corner = is_end(x) && is_end(y) && is_end(z), outside = is_end(x) || is_end(y) || is_end(z);
          if (corner == corners && outside) out.push_back({s.half_extent_m.cwiseProduct(Vec3(x, y, z) * (2.0 / parts) - Vec3::Ones()), 0});
        }
}

void add(const CapsuleShape& s, std::vector<Feeler>& out) {
  for (const double share : {-1.0, 1.0, -0.5, 0.0, 0.5}) out.push_back({Vec3(0, share * s.half_length_m, 0), s.radius_m});
}

void add(const CylinderShape& s, std::vector<Feeler>& out) {
  constexpr int around = 24;
  for (const double share : {-1.0, 1.0, 0.0})
    for (int k = 0; k < around; ++k) {
      const double angle = 2 * pi * k / around;
      out.push_back({Vec3(s.radius_m * std::cos(angle), share * s.half_length_m, s.radius_m * std::sin(angle)), 0});
    }
  for (const double share : {-1.0, 1.0}) out.push_back({Vec3(0, share * s.half_length_m, 0), 0});
}

void add(const std::shared_ptr<const Geometry>& geometry, std::vector<Feeler>& out) {
  constexpr std::size_t most = 1000;
  const auto* mesh = dynamic_cast<const TriangleMesh*>(geometry.get());
  if (mesh == nullptr) return;
  const auto& places = mesh->triangles().position;
  const std::size_t stride = (places.size() + most - 1) / most;
  for (std::size_t i = 0; i < places.size(); i += stride) out.push_back({places[i], 0});
}

}  // namespace

void add_feelers(const Shape& shape, std::vector<Feeler>& out) {
  std::visit([&](const auto& s) { add(s, out); }, shape);
}

}  // namespace vw

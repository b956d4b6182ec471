// Drawing data of flock members with level of detail: near members use every triangle of their species' mesh, deformed
// by swimming or flapping; farther ones use coarser meshes; members of a few pixels are drawn as motes, lozenges of the
// same apparent size. The data are the same for every renderer. Plain CPU data; no GL here.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include <glm/glm.hpp>

#include "render/camera.h"
#include "render/figure.h"

namespace vw {

enum class MemberDetail : std::uint8_t { fine, coarse, least, mote };

/// Members of one figure, species and level of detail; drawn with one call.
struct MemberGroup {
  std::size_t figure = 0;
  std::shared_ptr<const SurfaceMesh> mesh;
  MemberMotion motion = MemberMotion::none;
  MemberDetail detail = MemberDetail::fine;
  glm::vec3 mote{1};  ///< half axes of an ellipsoid with the same apparent size as the mesh, in half lengths of a body
  glm::vec3 eye{0};   ///< x and y of the eye's centre, and its radius (eye_of()), in half lengths
  float pale = 0;     ///< lightening of the belly's colour, 0 to 1
  std::size_t first = 0, count = 0;  ///< range in MemberDrawList::rows()
};

/// Triangle mesh of complete groups in world space, for renderers that deform members on the CPU.
struct MemberSurface {
  std::vector<glm::vec3> place, normal, albedo;  ///< position [m], unit normal, linear RGB
  /// X and y relative to the centre of the member's eye, in half lengths; z: the eye's radius
  std::vector<glm::vec3> from_eye;
  std::vector<std::array<std::uint32_t, 3>> triangle;
};

/// Selects the members to draw and their level of detail.
class MemberDrawList {
 public:
  /// Selects for a camera: members in the picture, the nearest with most detail. `reduce_triangles` uses fewer
  /// triangles, for renderers without a GPU.
  void for_eye(const std::vector<Figure>& figures, std::size_t count, const Camera& camera, int width, int height,
               bool reduce_triangles);
  /// Selects for the sun: all members that cast a shadow. `texels_per_m`: resolution of the shadow map.
  void for_sun(const std::vector<Figure>& figures, std::size_t count, float texels_per_m);
  [[nodiscard]] const std::vector<MemberGroup>& groups() const { return groups_; }
  /// Rows of the members in their figures, ordered by group.
  [[nodiscard]] const std::vector<std::uint32_t>& rows() const { return rows_; }
  /// Builds the deformed meshes in world space. `eye`: point from which motes are seen. `sun`: direction from which
  /// motes are seen, at infinite distance. `pixel`: width of a pixel per unit distance.
  void expand(const std::vector<Figure>& figures, const glm::vec3& eye, float pixel, MemberSurface& out) const;
  void expand_for_sun(const std::vector<Figure>& figures, const glm::vec3& sun, MemberSurface& out) const;

 private:
  template <class Detail>
  void sort(const std::vector<Figure>& figures, std::size_t count, const Detail& detail_of);
  template <class ToEye>
  void expand_all(const std::vector<Figure>& figures, const ToEye& to_eye, MemberSurface& out) const;

  std::vector<MemberGroup> groups_;
  std::vector<std::uint32_t> rows_;
  std::vector<std::uint16_t> bins_;  ///< scratch: group of each member within its figure
  /// Scratch: half lengths in the picture by figure [px]; negative: outside the picture
  std::vector<std::vector<float>> sizes_px_;
};

/// Point and normal of a mesh after deformation (same formula in shaders/member.vert).
struct BentPoint {
  glm::vec3 place, normal;
};
[[nodiscard]] BentPoint bent(MemberMotion motion, float beat, const glm::vec3& place, const glm::vec3& normal);
/// Linear colour at a height above the body's axis. `height` is in half lengths.
[[nodiscard]] glm::vec3 member_albedo(const glm::vec3& color, float pale, float height);
/// Colour with the eye drawn on it: dark with a pale ring (same formula in shaders/member.frag).
[[nodiscard]] glm::vec3 with_eye(const glm::vec3& albedo, const glm::vec3& from_eye);
/// Largest distance of a body's points from its centre, including deformation, in half lengths.
[[nodiscard]] float member_reach(const MemberLook& look);
/// Minimum half axis of a mote in the picture [px]; distant members thus remain visible.
inline constexpr float least_mote_px = 0.7F;
/// Same minimum for targets with one sample per pixel, so that a mote always covers a sample.
inline constexpr float least_mote_px_alone = 1;

}  // namespace vw

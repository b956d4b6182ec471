// Drawing data of flock members with level of detail. Near members use every triangle of the mesh of their species,
// deformed by swimming or flapping. Members farther away use coarser meshes. Members of a few pixels are drawn as
// motes, that is, lozenges of the same apparent size. All renderers use the same data. This file contains CPU data
// only, no GL objects.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include <glm/glm.hpp>

#include "render/camera.h"
#include "render/labels/figure.h"

namespace vw {

enum class MemberDetail : std::uint8_t { fine, coarse, least, mote };

/// Members of one figure, species and level of detail, which one draw call draws.
struct MemberGroup {
  std::size_t figure = 0;
  std::shared_ptr<const SurfaceMesh> mesh;
  MemberMotion motion = MemberMotion::none;
  MemberDetail detail = MemberDetail::fine;
  /// Half axes of an ellipsoid with the same apparent size as the mesh, in half lengths of the body.
  glm::vec3 mote{1};
  glm::vec3 eye{0};  ///< xy: centre of the animal's eye; z: radius of the eye (eye_of()); in half lengths of the body
  float pale = 0;    ///< lightening of the belly, from 0 to 1
  std::size_t first = 0, count = 0;  ///< range in MemberDrawList::rows()
};

/// Triangle mesh of whole groups in world space, for renderers that deform members on the CPU.
struct MemberSurface {
  std::vector<glm::vec3> place, normal, albedo;  ///< position [m], unit normal, linear RGB
  /// xy: position relative to the centre of the animal's eye, in half lengths of the body; z: radius of the eye.
  std::vector<glm::vec3> from_eye;
  std::vector<std::array<std::uint32_t, 3>> triangle;
};

/// Selects the members to draw and their level of detail.
class MemberDrawList {
 public:
  /// Selects the members that a camera sees; the nearest have the most detail. If `reduce_triangles` is set, fewer
  /// triangles are used, for renderers without a GPU.
  void for_eye(const std::vector<Figure>& figures, std::size_t count, const Camera& camera, int width, int height,
               bool reduce_triangles);
  /// Selects all members that cast a shadow. `texels_per_m`: resolution of the shadow map.
  void for_sun(const std::vector<Figure>& figures, std::size_t count, float texels_per_m);
  [[nodiscard]] const std::vector<MemberGroup>& groups() const { return groups_; }
  /// Rows of the selected members in the figures, ordered by group.
  [[nodiscard]] const std::vector<std::uint32_t>& rows() const { return rows_; }
  /// Builds the deformed meshes in world space. Motes face the point `eye`. `pixel`: width of a pixel at unit distance
  /// from the eye.
  void expand(const std::vector<Figure>& figures, const glm::vec3& eye, float pixel, MemberSurface& out) const;
  /// Builds the deformed meshes in world space for shadow maps. Motes face the direction `sun`.
  void expand_for_sun(const std::vector<Figure>& figures, const glm::vec3& sun, MemberSurface& out) const;

 private:
  template <class Detail>
  void sort(const std::vector<Figure>& figures, std::size_t count, const Detail& detail_of);
  template <class ToEye>
  void expand_all(const std::vector<Figure>& figures, const ToEye& to_eye, MemberSurface& out) const;

  std::vector<MemberGroup> groups_;
  std::vector<std::uint32_t> rows_;
  std::vector<std::uint16_t> bins_;  ///< scratch: group of each member within its figure
  /// Scratch: half length of each member in the picture [px], by figure. Negative if the member is outside the picture.
  std::vector<std::vector<float>> sizes_px_;
};

/// Point and normal of a mesh after deformation. shaders/member.vert uses the same formula.
struct BentPoint {
  glm::vec3 place, normal;
};
[[nodiscard]] BentPoint bent(MemberMotion motion, float beat, const glm::vec3& place, const glm::vec3& normal);
/// Linear colour of a point on a body. `pale`: lightening of the belly, from 0 to 1. `height`: height of the point
/// above the body's axis, in half lengths.
[[nodiscard]] glm::vec3 member_albedo(const glm::vec3& color, float pale, float height);
/// Linear colour of a body including the animal's eye, which is dark with a pale ring. `from_eye`:
/// MemberSurface::from_eye. shaders/member.frag uses the same formula.
[[nodiscard]] glm::vec3 with_eye(const glm::vec3& albedo, const glm::vec3& from_eye);
/// Returns an upper bound of the distance between a point of the deformed body and the centre of the body, in half
/// lengths.
[[nodiscard]] float member_reach(const SpeciesLook& look);
/// Minimum half axis of a mote in the picture [px], which keeps distant members visible.
inline constexpr float least_mote_px = 0.7F;
/// Minimum half axis of a mote for targets with one sample per pixel [px]. A mote of this size always covers a sample.
inline constexpr float least_mote_px_alone = 1;

}  // namespace vw

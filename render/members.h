// Members of flocks as they are drawn: near ones with every triangle of their species' mesh, bent as they swim or fly; farther ones with fewer; those
// of few pixels as motes, lozenges as large as the body looks. Alike for every renderer. Plain CPU data; no GL here.
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

/// Members of one figure, species and detail: one draw call.
struct MemberGroup {
  std::size_t figure = 0;
  std::shared_ptr<const SurfaceMesh> mesh;
  MemberMotion motion = MemberMotion::none;
  MemberDetail detail = MemberDetail::fine;
  glm::vec3 mote{1};                 ///< half axes of the ellipsoid that looks as large as the mesh, in half lengths of a body
  glm::vec3 eye{0};                  ///< x, y and radius (eye_of())
  float pale = 0;                    ///< how much paler bellies are
  std::size_t first = 0, count = 0;  ///< of MemberOrder::rows()
};

/// A triangle mesh of whole groups in the world, for renderers that bend it themselves.
struct MemberSurface {
  std::vector<glm::vec3> place, normal, albedo;  ///< [m]; unit; linear
  std::vector<glm::vec3> from_eye;               ///< x and y from the middle of its eye, in half lengths; and that eye's radius
  std::vector<std::array<std::uint32_t, 3>> triangle;
};

/// Which members are drawn, and how finely.
class MemberOrder {
 public:
  /// As a camera sees them: those in the picture, the nearest in most detail. `thrifty`: fewer triangles, for renderers without a graphics device.
  void for_eye(const std::vector<Figure>& figures, std::size_t count, const Camera& camera, int width, int height, bool thrifty);
  /// As the sun does, all: those that cast a shadow on a map with so many texels a metre.
  void for_sun(const std::vector<Figure>& figures, std::size_t count, float texels_per_m);
  [[nodiscard]] const std::vector<MemberGroup>& groups() const { return groups_; }
  /// Of their figures.
  [[nodiscard]] const std::vector<std::uint32_t>& rows() const { return rows_; }
  /// Bent and in place. `eye`: where motes are seen from; `sun`: they are seen from there, however far. `pixel`: width of one per distance.
  void expand(const std::vector<Figure>& figures, const glm::vec3& eye, float pixel, MemberSurface& out) const;
  void expand_for_sun(const std::vector<Figure>& figures, const glm::vec3& sun, MemberSurface& out) const;

 private:
  template <class Detail>
  void sort(const std::vector<Figure>& figures, std::size_t count, const Detail& detail_of);
  template <class ToEye>
  void expand_all(const std::vector<Figure>& figures, const ToEye& to_eye, MemberSurface& out) const;

  std::vector<MemberGroup> groups_;
  std::vector<std::uint32_t> rows_;
  std::vector<std::uint16_t> bins_;           ///< scratch: which group of its figure each member is in
  std::vector<std::vector<float>> sizes_px_;  ///< scratch: half lengths on the picture by figure; negative: beside it
};

/// A point of a mesh and its normal, bent (shaders/member.vert has the same).
struct BentPoint {
  glm::vec3 place, normal;
};
[[nodiscard]] BentPoint bent(MemberMotion motion, float beat, const glm::vec3& place, const glm::vec3& normal);
/// Linear colour at a height above the body's axis, in half lengths.
[[nodiscard]] glm::vec3 member_albedo(const glm::vec3& color, float pale, float height);
/// The colour with an eye in it: dark with a pale ring (shaders/member.frag has the same).
[[nodiscard]] glm::vec3 with_eye(const glm::vec3& albedo, const glm::vec3& from_eye);
/// How far a body reaches from its middle, bent or not, in half lengths.
[[nodiscard]] float member_reach(const MemberLook& look);
/// Smallest half axis of a mote on the picture [px], so that far members do not vanish.
inline constexpr float least_mote_px = 0.7F;
/// Where pixels have one sample: so that it always meets one.
inline constexpr float least_mote_px_alone = 1;

}  // namespace vw

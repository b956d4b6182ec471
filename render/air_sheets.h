// Planes through the air, ready to be drawn from back to front among particles: their samples on a fine grid, cut along each other into pieces.
// Alike for every renderer. Plain CPU data; no GL here.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <glm/glm.hpp>

#include "render/color_map.h"
#include "render/cut.h"
#include "sim/snapshot/snapshot.h"

namespace vw {

/// How much nearer than it is a sheet is drawn, as a share of its distance, so that it lies on what stands in its plane; arrows that start on it
/// more.
inline constexpr float sheet_lift = 1e-3F, arrow_lift = 3e-3F;
/// The same place of the picture, nearer to the eye by that share.
[[nodiscard]] inline glm::vec3 lifted(const glm::vec3& p, const glm::vec3& eye, float share) { return p + share * (eye - p); }

struct AirSheet {
  glm::vec3 corner{0}, u{0}, v{0};    ///< [m]: first sample, and the whole sides from there
  glm::vec3 normal{0, 0, 1};          ///< unit, towards the eye's side
  float level = 0;                    ///< dot(normal, p) of its points
  int nu = 0, nv = 0;                 ///< samples, with those on the rims
  std::vector<glm::vec2> texel = {};  ///< place on the colour map, 0 low and 1 high, times whether there is one; and whether
  /// The texel at a place in [0, 1]^2, between samples on straight lines.
  [[nodiscard]] glm::vec2 at(const glm::vec2& place) const;
  [[nodiscard]] glm::vec3 point(const glm::vec2& place) const { return corner + place.x * u + place.y * v; }
};

/// The part of a sheet between those before it in the list.
struct AirPiece {
  static constexpr std::size_t most_corners = 12;
  std::size_t sheet = 0;
  std::size_t layer = 0;                       ///< of space (AirSheets::layer_of) that it is drawn before
  std::array<glm::vec2, most_corners> corner;  ///< in [0, 1]^2 of the sheet
  std::size_t corners = 0;
};

class AirSheets {
 public:
  static constexpr std::size_t most = 4;
  /// `previous` may be null; `blend` = 1 is the newest.
  void build(const FieldPicture* previous, const FieldPicture& newest, float blend, const ValueRange& range, const glm::vec3& eye,
             const CutPlane& cut);
  [[nodiscard]] std::span<const AirSheet> sheets() const { return std::span(sheets_).first(count_); }
  /// From back to front.
  [[nodiscard]] std::span<const AirPiece> pieces() const { return pieces_; }
  /// The sheets' planes cut space into layers: what lies in a higher one hides what lies in a lower one, and no other way round.
  [[nodiscard]] std::size_t layers() const { return std::size_t{1} << count_; }
  [[nodiscard]] std::size_t bits() const { return count_; }
  [[nodiscard]] std::size_t layer_of(const glm::vec3& p) const;
  /// Of a point on a sheet: that of what lies on it, seen from the eye.
  [[nodiscard]] std::size_t layer_on(std::size_t sheet, const glm::vec3& p) const;
  /// Whether a point of a sheet belongs to the piece that is drawn before that layer.
  [[nodiscard]] bool is_in(const AirPiece& piece, const glm::vec3& p) const;

 private:
  void add_sheet(const FieldSlice* previous, const FieldSlice& slice, float blend, const ValueRange& range, const glm::vec3& eye);
  void fill(const FieldSlice* previous, const FieldSlice& slice, float blend, const ValueRange& range, AirSheet& sheet);
  void close_rims(std::size_t nu, std::size_t nv);
  void add_pieces(std::size_t which, const CutPlane& cut);
  [[nodiscard]] bool before(std::size_t sheet, const glm::vec3& p) const { return glm::dot(sheets_[sheet].normal, p) >= sheets_[sheet].level; }

  std::vector<AirSheet> sheets_;
  std::size_t count_ = 0;
  std::vector<AirPiece> pieces_;
  std::vector<glm::vec2> coarse_, wide_;  ///< scratch
};

}  // namespace vw

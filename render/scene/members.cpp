#include "render/scene/members.h"

#include <algorithm>
#include <cmath>

#include "render/scene/frame_data.h"
#include "render/vectors/vectors.h"
#include "sim/base/parallel/parallel.h"
#include "sim/snapshot/member_shapes.h"

namespace vw {
namespace {

/// Minimum half length in the picture [px] and in the shadow map [texels] at which each level of detail is used,
/// indexed by MemberDetail.
constexpr std::array<float, 3> least_member_px{13, 6, 2.6F}, least_texels{40, 14, 4};
/// Maximum number of members at each level of detail and all finer levels together. For renderers without a GPU, the
/// number is divided by `thrift`.
constexpr std::array<std::size_t, 3> most_of{3000, 12'000, 60'000};
constexpr std::size_t thrift = 8;
/// Lightening of the bellies of swimming and flying members.
constexpr float pale_belly = 0.45F;

/// Pseudo-random number in [0, 1) for each member. It varies the distance at which the level of detail changes, so that
/// the members of a flock do not change all at once.
float share_of(std::uint32_t id) { return static_cast<float>(id * 2654435761U >> 16U) / 65536; }

/// Returns the half axes of an ellipsoid. A lozenge spanned by two of the axes has the projected area of the mesh along
/// the third axis.
glm::vec3 mote_axes(const SurfaceMesh& mesh) {
  glm::vec3 area(1e-6F);
  for (const auto& t : mesh.triangle) {
    const auto at = [&](std::size_t k) { return to_glm(mesh.position[t[k]]); };
    // The factor 1/4 is the product of 1/2 for the area of the triangle and 1/2 because each projection counts front
    // and back faces.
    area += 0.25F * glm::abs(glm::cross(at(1) - at(0), at(2) - at(0)));
  }
  const glm::vec3 axes =
      glm::sqrt(glm::vec3(area.y * area.z / area.x, area.x * area.z / area.y, area.x * area.y / area.z) * 0.5F);
  return glm::clamp(axes, 0.02F, 2.0F);
}

constexpr std::size_t details = 4;  ///< number of levels of detail

/// Members of one species, divided by level of detail.
struct SpeciesGroups {
  std::array<MemberGroup, details> group;  ///< indexed by level of detail
};

std::vector<SpeciesGroups> groups_of(const Figure& figure, std::size_t f) {
  std::vector<SpeciesGroups> looks;
  for (const SpeciesLook& look : figure.member_look) {
    SpeciesGroups& to = looks.emplace_back();
    if (look.mesh == nullptr) continue;
    const float pale = figure.own_colors && look.motion != MemberMotion::none ? pale_belly : 0;
    const glm::vec3 axes = mote_axes(*look.mesh);
    const auto meshes = meshes_by_detail(look);
    for (std::size_t k = 0; k < details; ++k) {
      const auto detail = static_cast<MemberDetail>(k);
      // Most of the visible area of a bird consists of its wings, which are less pale than the belly.
      const bool shows_wings = detail == MemberDetail::mote && look.motion == MemberMotion::flap;
      to.group[k] = {f,
                     meshes[std::min(k, meshes.size() - 1)],
                     look.motion,
                     detail,
                     axes,
                     k == 0 ? to_glm(eye_of(look)) : glm::vec3(0),
                     shows_wings ? 0.55F * pale : pale,
                     0,
                     0};
    }
  }
  return looks;
}

constexpr std::uint16_t not_drawn = 0xFFFF;

/// Returns the level of detail for a given size. `least`: minimum size of each level.
std::uint16_t detail_of(float size, const std::array<float, 3>& least) {
  return static_cast<std::uint16_t>(std::find_if(least.begin(), least.end(), [size](float x) { return size > x; }) -
                                    least.begin());
}

/// Histogram of sizes. limit() raises the threshold `least` until at most `most` members are larger. The threshold is
/// rounded to steps that are too small to be visible.
class Crowd {
 public:
  void add(float px) { ++count_[bin_of(px)]; }
  [[nodiscard]] float limit(float least, std::size_t most) const {
    std::size_t sum = 0, bin = count_.size();
    while (bin > 0 && sum + count_[bin - 1] <= most) sum += count_[--bin];
    return bin == 0 ? least : std::max(least, std::exp2((static_cast<float>(bin) + 1) / steps + lowest));
  }

 private:
  // `steps`: number of bins per octave. `lowest`: log2 of the smallest size that the histogram resolves.
  static constexpr float steps = 24, lowest = -4;
  [[nodiscard]] std::size_t bin_of(float px) const {
    const float at = (std::log2(std::max(px, 1e-6F)) - lowest) * steps;
    return static_cast<std::size_t>(std::clamp(at, 0.0F, static_cast<float>(count_.size() - 1)));
  }
  std::array<std::uint32_t, 400> count_{};
};

/// Corners of a mote, the simple shape of a distant member (front, two sides, rear), and their normals.
/// shaders/mote.vert uses the same geometry.
struct Mote {
  std::array<glm::vec3, 4> place, normal;
};
Mote mote_of(const glm::vec4& place, const glm::vec4& turn, const glm::vec3& axes, const glm::vec3& to_eye,
             float least) {
  const std::array<glm::vec3, 3> own{turned(turn, {1, 0, 0}), turned(turn, {0, 1, 0}), turned(turn, {0, 0, 1})};
  glm::vec3 along = own[0] - glm::dot(own[0], to_eye) * to_eye;
  if (glm::dot(along, along) < 1e-4F) along = own[1] - glm::dot(own[1], to_eye) * to_eye;
  along = glm::normalize(along);
  const glm::vec3 across = glm::cross(to_eye, along);
  glm::vec3 facing(0);
  const auto extent = [&](const glm::vec3& m) {
    return std::max(
        place.w * glm::length(axes * glm::vec3(glm::dot(own[0], m), glm::dot(own[1], m), glm::dot(own[2], m))), least);
  };
  for (std::size_t k = 0; k < 3; ++k) {
    const auto axis = static_cast<glm::length_t>(k);
    facing += own[k] * (glm::dot(own[k], to_eye) / (axes[axis] * axes[axis]));
  }
  facing = glm::normalize(facing);
  const glm::vec3 middle(place), nose = extent(along) * along, side = extent(across) * across;
  const auto leaning = [&](const glm::vec3& way) { return glm::normalize(facing + 0.6F * way); };
  return {{middle + nose, middle + side, middle - side, middle - nose},
          {leaning(along), leaning(across), leaning(-across), leaning(-along)}};
}

/// A mote has the colour of one point of the body. Returns the height of that point above the body's axis, in half
/// lengths. The height depends on the direction to the eye.
float mote_height(const glm::vec4& turn, const glm::vec3& to_eye) {
  return 0.12F * glm::dot(turned(turn, {0, 1, 0}), to_eye) - 0.02F;
}

}  // namespace

glm::vec3 member_albedo(const glm::vec3& color, float pale, float height) {
  return glm::mix(color, glm::vec3(0.82F, 0.85F, 0.86F), pale * (1 - glm::smoothstep(-0.14F, 0.10F, height)));
}

glm::vec3 with_eye(const glm::vec3& albedo, const glm::vec3& from_eye) {
  const float away = glm::length(glm::vec2(from_eye));
  if (!(away < 1.6F * from_eye.z)) return albedo;
  return away < from_eye.z ? glm::vec3(0.012F) : glm::mix(albedo, glm::vec3(0.85F), 0.6F);
}

BentPoint bent(MemberMotion motion, float beat, const glm::vec3& place, const glm::vec3& normal) {
  if (motion == MemberMotion::swim) {
    // The body bends in a wave that travels from head to tail and grows in amplitude.
    constexpr float wave = 2.6F, head = 0.012F, tail = 0.17F;
    const float back = std::max(0.9F - place.x, 0.0F) / 1.9F, size = head + tail * back * back,
                phase = wave * place.x + beat;
    const float slope =
        (place.x < 0.9F ? -2 * tail * back / 1.9F : 0.0F) * std::sin(phase) + size * wave * std::cos(phase);
    return {place + glm::vec3(0, 0, size * std::sin(phase)),
            glm::normalize(normal - glm::vec3(slope * normal.z, 0, 0))};
  }
  if (motion == MemberMotion::flap) {
    // The wings rotate about the shoulders. The tips have a larger amplitude and a phase lag. The body moves in the
    // opposite direction.
    constexpr float shoulder = 0.08F, stroke = 0.55F, raised = 0.12F, lag = 0.75F, heave = 0.05F;
    const float out = std::max(std::abs(place.z) - shoulder, 0.0F), side = place.z < 0 ? -1.0F : 1.0F;
    const float angle = out > 0 ? raised + stroke * (1 + 0.25F * out) * std::sin(beat - lag * out) : 0.0F;
    const float c = std::cos(angle), s = std::sin(angle);
    const glm::vec3 to(place.x, place.y * c + out * s - heave * std::sin(beat),
                       place.z - side * out + side * (out * c - place.y * s));
    if (out == 0) return {to, normal};
    return {to, glm::vec3(normal.x, normal.y * c + side * normal.z * s, normal.z * c - side * normal.y * s)};
  }
  return {place, normal};
}

float member_reach(const SpeciesLook& look) {
  float reach2 = 1;
  if (look.mesh != nullptr)
    for (const Vec3f& p : look.mesh->position) reach2 = std::max(reach2, p.squaredNorm());
  return std::sqrt(reach2) + (look.motion == MemberMotion::none ? 0.0F : 0.2F);
}

/// Orders the members by figure, species and level of detail. Within a group, the order of the figure is kept.
/// `choose(f, row)` returns a MemberDetail as a number, or not_drawn.
template <class Detail>
void MemberDrawList::sort(const std::vector<Figure>& figures, std::size_t count, const Detail& choose) {
  groups_.clear();
  rows_.clear();
  for (std::size_t f = 0; f < count; ++f) {
    const Figure& figure = figures[f];
    if (figure.shape != FigureShape::members) continue;
    const std::vector<SpeciesGroups> looks = groups_of(figure, f);
    const std::size_t n = figure.places.size(), first_group = groups_.size();
    for (const SpeciesGroups& look : looks) groups_.insert(groups_.end(), look.group.begin(), look.group.end());
    bins_.assign(n, not_drawn);
    parallel_for(n, 8192, [&](Range part, std::size_t) {
      for (std::size_t i = part.begin; i < part.end; ++i) {
        const std::size_t species = figure.species[i];
        const glm::vec4& place = figure.places[i];
        if (species >= looks.size() || looks[species].group[0].mesh == nullptr || !(place.w >= 0)) continue;
        if (!std::isfinite(place.x + place.y + place.z + place.w + glm::dot(figure.turns[i], figure.turns[i]) +
                           figure.beat[i]))
          continue;
        if (const std::uint16_t detail = choose(f, i); detail != not_drawn)
          bins_[i] = static_cast<std::uint16_t>(details * species + detail);
      }
    });
    for (const std::uint16_t bin : bins_)
      if (bin != not_drawn) ++groups_[first_group + bin].count;
    std::size_t end = rows_.size();
    for (std::size_t g = first_group; g < groups_.size(); ++g) {
      groups_[g].first = end;
      end += groups_[g].count;
      groups_[g].count = 0;
    }
    rows_.resize(end);
    for (std::size_t i = 0; i < n; ++i) {
      if (bins_[i] == not_drawn) continue;
      MemberGroup& group = groups_[first_group + bins_[i]];
      rows_[group.first + group.count++] = static_cast<std::uint32_t>(i);
    }
  }
  std::erase_if(groups_, [](const MemberGroup& group) { return group.count == 0; });
}

void MemberDrawList::for_eye(const std::vector<Figure>& figures, std::size_t count, const Camera& camera, int width,
                             int height, bool reduce_triangles) {
  const glm::mat4 view = camera.view();
  const glm::vec3 right(view[0][0], view[1][0], view[2][0]), up(view[0][1], view[1][1], view[2][1]),
      forward = glm::cross(up, right);
  const float focal_px = 1 / pixel_per_distance(camera, width, height);
  // Side planes of the view frustum, from the tangents of the half angles of view.
  const glm::vec2 tangent = 0.5F * glm::vec2(static_cast<float>(width), static_cast<float>(height)) / focal_px;
  const glm::vec2 slack = glm::sqrt(1.0F + tangent * tangent);
  constexpr float fills_much = 1e6F;
  const auto size_px = [&](const Figure& figure, float reach_share, std::size_t i) {
    const glm::vec4& place = figure.places[i];
    const glm::vec3 from_eye = glm::vec3(place) - camera.eye;
    const float depth = glm::dot(from_eye, forward), reach = reach_share * place.w;
    if (!(place.w >= 0) || (!figure.opacity.empty() && figure.opacity[i] == 0) || !(depth >= -reach)) return -1.0F;
    if (std::abs(glm::dot(from_eye, right)) > tangent.x * depth + slack.x * reach) return -1.0F;
    if (std::abs(glm::dot(from_eye, up)) > tangent.y * depth + slack.y * reach) return -1.0F;
    if (depth < 2 * reach) return fills_much;
    return place.w * focal_px / depth * (0.85F + 0.3F * share_of(figure.id[i]));
  };
  Crowd crowd;
  if (sizes_px_.size() < count) sizes_px_.resize(count);
  for (std::size_t f = 0; f < count; ++f) {
    const Figure& figure = figures[f];
    if (figure.shape != FigureShape::members) continue;
    float reach = 1;
    for (const SpeciesLook& look : figure.member_look) reach = std::max(reach, member_reach(look));
    sizes_px_[f].resize(figure.places.size());
    parallel_for(figure.places.size(), 8192, [&](Range part, std::size_t) {
      for (std::size_t i = part.begin; i < part.end; ++i) sizes_px_[f][i] = size_px(figure, reach, i);
    });
    for (const float px : sizes_px_[f])
      if (px > 0) crowd.add(px);
  }
  std::array<float, 3> least = least_member_px;
  for (std::size_t k = 0; k < least.size(); ++k)
    least[k] = crowd.limit(least[k], most_of[k] / (reduce_triangles ? thrift : 1));
  sort(figures, count, [&](std::size_t f, std::size_t i) {
    return sizes_px_[f][i] < 0 ? not_drawn : detail_of(sizes_px_[f][i], least);
  });
}

void MemberDrawList::for_sun(const std::vector<Figure>& figures, std::size_t count, float texels_per_m) {
  sort(figures, count, [&](std::size_t f, std::size_t i) {
    return casts_shadow(figures[f], i) ? detail_of(figures[f].places[i].w * texels_per_m, least_texels) : not_drawn;
  });
}

void MemberDrawList::expand(const std::vector<Figure>& figures, const glm::vec3& eye, float pixel,
                            MemberSurface& out) const {
  expand_all(
      figures,
      [&](const glm::vec4& place) {
        const glm::vec3 back = eye - glm::vec3(place);
        const float distance = std::max(glm::length(back), 1e-6F);
        return glm::vec4(back / distance, least_mote_px * pixel * distance);
      },
      out);
}

void MemberDrawList::expand_for_sun(const std::vector<Figure>& figures, const glm::vec3& sun,
                                    MemberSurface& out) const {
  expand_all(
      figures, [&](const glm::vec4&) { return glm::vec4(sun, 0); }, out);
}

template <class ToEye>
void MemberDrawList::expand_all(const std::vector<Figure>& figures, const ToEye& to_eye, MemberSurface& out) const {
  std::size_t corners = 0, triangles = 0;
  const auto sizes = [](const MemberGroup& group) {
    return group.detail == MemberDetail::mote
               ? std::pair<std::size_t, std::size_t>{4, 2}
               : std::pair<std::size_t, std::size_t>{group.mesh->position.size(), group.mesh->triangle.size()};
  };
  for (const MemberGroup& group : groups_) {
    const auto [of_one, faces] = sizes(group);
    corners += group.count * of_one;
    triangles += group.count * faces;
  }
  out.place.resize(corners);
  out.normal.resize(corners);
  out.albedo.resize(corners);
  out.from_eye.assign(corners, glm::vec3(1, 1, 0));
  out.triangle.resize(triangles);
  corners = triangles = 0;
  for (const MemberGroup& group : groups_) {
    const Figure& figure = figures[group.figure];
    const auto [of_one, faces] = sizes(group);
    const auto place_one = [&, of_one = of_one, faces = faces](std::size_t k) {
      const std::uint32_t row = rows_[group.first + k];
      const std::size_t corner = corners + k * of_one, face = triangles + k * faces;
      const glm::vec4 &place = figure.places[row], &turn = figure.turns[row];
      const glm::vec3 color = linear_of(figure.colors[row]);
      const auto number = [corner](std::size_t c) { return static_cast<std::uint32_t>(corner + c); };
      if (group.detail == MemberDetail::mote) {
        const glm::vec4 back = to_eye(place);
        const Mote mote = mote_of(place, turn, group.mote, glm::vec3(back), back.w);
        for (std::size_t c = 0; c < 4; ++c) {
          out.place[corner + c] = mote.place[c];
          out.normal[corner + c] = mote.normal[c];
          out.albedo[corner + c] = member_albedo(color, group.pale, mote_height(turn, glm::vec3(back)));
        }
        out.triangle[face] = {number(0), number(1), number(2)};
        out.triangle[face + 1] = {number(2), number(1), number(3)};
        return;
      }
      for (std::size_t c = 0; c < of_one; ++c) {
        const BentPoint point =
            bent(group.motion, figure.beat[row], to_glm(group.mesh->position[c]), to_glm(group.mesh->normal[c]));
        out.place[corner + c] = glm::vec3(place) + place.w * turned(turn, point.place);
        out.normal[corner + c] = turned(turn, point.normal);
        out.albedo[corner + c] = member_albedo(color, group.pale, group.mesh->position[c].y());
        out.from_eye[corner + c] = {group.mesh->position[c].x() - group.eye.x,
                                    group.mesh->position[c].y() - group.eye.y, group.eye.z};
      }
      for (std::size_t t = 0; t < faces; ++t) {
        const auto& from = group.mesh->triangle[t];
        out.triangle[face + t] = {number(from[0]), number(from[1]), number(from[2])};
      }
    };
    parallel_for(group.count, 256, [&](Range part, std::size_t) {
      for (std::size_t k = part.begin; k < part.end; ++k) place_one(k);
    });
    corners += group.count * of_one;
    triangles += group.count * faces;
  }
}

}  // namespace vw

// Interpolation of elements, skin vertices and colours. Each step is one pass over the elements. Buffers are reused
// between frames.
#include "render/labels/figure.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "render/vectors/vectors.h"
#include "sim/base/parallel/parallel.h"

namespace vw {
namespace {

constexpr std::size_t figure_elements_a_chunk = 16384;

/// Finds the row that element i of the newest snapshot has in the previous snapshot, or -1 if the element did not
/// exist. Elements rarely change their order, so the search begins after the last match. If this search fails, a table
/// of ids and rows that is sorted by id is searched.
class Matcher {
 public:
  Matcher(const SystemSnapshot* previous, const SystemSnapshot& newest,
          std::vector<std::pair<std::uint32_t, std::uint32_t>>& table)
      : previous_(previous), newest_(newest), table_(table) {
    table_.clear();
    if (previous == nullptr || previous->look_kind() != newest.look_kind() || previous->name != newest.name)
      previous_ = nullptr;
    same_ = previous_ != nullptr && previous_->revision == newest.revision &&
            previous_->position.size() == newest.position.size();
  }
  /// Whether lookups are independent, so that any thread may perform them in any order.
  [[nodiscard]] bool is_plain() const { return previous_ == nullptr || same_; }
  std::ptrdiff_t operator()(std::size_t i) {
    if (previous_ == nullptr) return -1;
    if (same_) return static_cast<std::ptrdiff_t>(i);
    if (i >= newest_.id.size()) return -1;
    const std::uint32_t id = newest_.id[i];
    const std::vector<std::uint32_t>& ids = previous_->id;
    // A few elements may have been removed since the previous snapshot, so the search skips up to seven ids.
    for (std::size_t k = next_; k < std::min(next_ + 8, ids.size()); ++k)
      if (ids[k] == id) return static_cast<std::ptrdiff_t>((next_ = k + 1) - 1);
    if (table_.empty()) {
      for (std::size_t k = 0; k < ids.size(); ++k) table_.emplace_back(ids[k], static_cast<std::uint32_t>(k));
      std::sort(table_.begin(), table_.end());
    }
    const auto found = std::lower_bound(table_.begin(), table_.end(), std::pair<std::uint32_t, std::uint32_t>{id, 0});
    if (found == table_.end() || found->first != id) return -1;
    next_ = found->second + std::size_t{1};
    return static_cast<std::ptrdiff_t>(found->second);
  }

 private:
  const SystemSnapshot* previous_;
  const SystemSnapshot& newest_;
  bool same_ = false;
  std::size_t next_ = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>>& table_;  // pairs of id and row, sorted by id
};

glm::vec4 blend_turns(glm::vec4 a, const glm::vec4& b, float t) {
  if (glm::dot(a, b) < 0) a = -a;
  return glm::normalize(glm::mix(a, b, t));
}

/// Interpolates the phase of a tail or wing beat. The phase increases with time modulo 2 pi.
float blend_beats(float before, float after, float t) {
  constexpr float whole = 2 * static_cast<float>(pi);
  if (before > after) before -= whole * std::ceil((before - after) / whole);
  return glm::mix(before, after, t);
}

/// Returns the fraction of the ambient light that reaches a skin vertex. `voxels` is the number of voxels at the
/// vertex, at most 8. The result is 1 for up to four voxels and less in concave corners.
float openness(int voxels) { return 1 - 0.13F * static_cast<float>(std::max(voxels - 4, 0)); }

}  // namespace

void place_figure(const SystemSnapshot* previous, const SystemSnapshot& newest, float blend, Figure& out) {
  const std::size_t n = newest.position.size();
  const auto* flock = newest.look_as<MemberLook>();
  const auto* spheres = newest.look_as<SphereLook>();
  const bool voxels = newest.look_kind() == LookKind::voxels && newest.orientation.size() == n;
  const bool bodies =
      newest.look_kind() == LookKind::rigid && newest.orientation.size() == n && meshes_of(newest).size() == n;
  const bool members = flock != nullptr && newest.orientation.size() == n && !flock->species.empty();
  const bool has_turns = voxels || bodies || members, beats = members && flock->beat.size() == n;
  out.name = newest.name;
  out.look = newest.look_kind();
  out.skin = skin_of(newest);
  out.shape = out.skin != nullptr ? FigureShape::skin
              : bodies            ? FigureShape::bodies
              : members           ? FigureShape::members
                                  : FigureShape::balls;
  out.spacing_m = spacing_of_fluid(newest);
  out.period = newest.period;
  out.is_spray = false;
  out.soft = spheres != nullptr && spheres->soft && out.shape == FigureShape::balls;
  out.revision = newest.revision;
  out.places.resize(n);
  out.velocity.resize(n);
  out.turns.resize(has_turns ? n : 0);
  if (flock != nullptr)
    out.member_look = flock->species;
  else
    out.member_look.clear();
  out.species.assign(newest.material.begin(), newest.material.end());
  out.species.resize(members ? n : 0);
  out.beat.assign(members ? n : 0, 0.0F);
  out.id = newest.id;
  out.id.resize(n);
  const auto* old_flock = previous != nullptr ? previous->look_as<MemberLook>() : nullptr;
  const std::span<const float> old_beat = old_flock != nullptr ? std::span(old_flock->beat) : std::span<const float>();
  Matcher match(blend < 1 ? previous : nullptr, newest, out.by_id);
  const auto place_one = [&](std::size_t i) {
    const float size = i < newest.size.size() ? newest.size[i] : 0.01F;
    glm::vec3 place = to_glm(newest.position[i]);
    glm::vec3 velocity = i < newest.velocity.size() ? to_glm(newest.velocity[i]) : glm::vec3(0);
    if (has_turns) out.turns[i] = to_glm(newest.orientation[i]);
    if (beats) out.beat[i] = flock->beat[i];
    if (const auto k = match(i); k >= 0) {
      const auto from = static_cast<std::size_t>(k);
      place = glm::mix(nearest_image(to_glm(previous->position[from]), place, newest.period), place, blend);
      if (from < previous->velocity.size()) velocity = glm::mix(to_glm(previous->velocity[from]), velocity, blend);
      if (has_turns && from < previous->orientation.size())
        out.turns[i] = blend_turns(to_glm(previous->orientation[from]), out.turns[i], blend);
      if (beats && from < old_beat.size()) out.beat[i] = blend_beats(old_beat[from], out.beat[i], blend);
    }
    out.places[i] = {place, voxels ? 0.5F * size : size};
    out.velocity[i] = velocity;
  };
  const auto place_all = [&](Range part, std::size_t) {
    for (std::size_t i = part.begin; i < part.end; ++i) place_one(i);
  };
  if (match.is_plain())
    parallel_for(n, figure_elements_a_chunk, place_all);
  else
    place_all({0, n}, 0);
  if (voxels && out.skin != nullptr)
    place_corners(out);
  else
    out.corners.clear();
}

const glm::vec4* selected_in_surface(const std::vector<Figure>& figures, std::size_t count,
                                     const Selection& selection) {
  for (std::size_t f = 0; f < count; ++f) {
    const Figure& figure = figures[f];
    if (figure.shape != FigureShape::surface || figure.name != selection.system || selection.element < 0) continue;
    const auto i = static_cast<std::size_t>(selection.element);
    return i < figure.places.size() && figure.places[i].w >= 0 ? &figure.places[i] : nullptr;
  }
  return nullptr;
}

glm::vec3 linear_of(std::uint32_t packed) {
  const auto part = [packed](unsigned shift) {
    const float c = static_cast<float>(packed >> shift & 0xFFU) / 255;
    return c * (c * (c * 0.305306011F + 0.682171111F) + 0.012522878F);  // same polynomial as in shaders/frame.glsl
  };
  return {part(0), part(8), part(16)};
}

void place_fill(const SystemSnapshot& system, const Figure& bodies, std::int64_t selected, Figure& out) {
  const RigidLook& rigid = std::get<RigidLook>(system.look);
  out.name.clear();
  out.look = LookKind::spheres;
  out.shape = FigureShape::balls;
  out.soft = out.is_spray = false;
  out.own_colors = true;  // `out` may have been the figure of a system with the colours of a channel
  out.revision = bodies.revision;
  out.places.clear(), out.colors.clear(), out.id.clear();
  out.velocity.clear(), out.turns.clear(), out.opacity.clear(), out.corners.clear(), out.skin = nullptr;
  for (std::size_t i = 0; i < bodies.places.size(); ++i) {
    if (rigid.particles[i] == nullptr) continue;
    const bool marked = static_cast<std::int64_t>(i) == selected;
    const std::uint32_t color =
        marked ? pack_linear(glm::mix(linear_of(bodies.colors[i]), mark_color, 0.6F)) : bodies.colors[i];
    for (const Vec3f& place : *rigid.particles[i]) {
      out.places.emplace_back(glm::vec3(bodies.places[i]) + turned(bodies.turns[i], to_glm(place)),
                              0.5F * rigid.particle_m);
      out.colors.push_back(color);
      out.id.push_back(static_cast<std::uint32_t>(out.id.size()));
    }
  }
}

namespace {

/// Cosine of the crease angle, 50 degrees. Edges between faces of undeformed voxels have 90 degrees.
constexpr float crease_cosine = 0.643F;

/// Returns the other face at the edge from vertex a to vertex b of the face `q`, or -1. If four faces share the edge,
/// the face of the same voxel is preferred.
std::int32_t face_beyond(const VoxelSkin& skin, const SkinNeighbors& all, std::size_t q, std::int32_t a,
                         std::int32_t b) {
  std::int32_t found = -1;
  const auto from = static_cast<std::size_t>(a);
  for (std::uint32_t k = all.first[from]; k < all.first[from + 1]; ++k) {
    const std::size_t other = all.faces[k];
    const auto& v = skin.quads[other].vertex;
    for (std::size_t c = 0; c < 4; ++c)
      if (other != q && v[c] == b && v[(c + 1) % 4] == a &&
          (found < 0 || skin.quads[other].voxel == skin.quads[q].voxel))
        found = static_cast<std::int32_t>(other);
  }
  return found;
}

/// Finds the faces of voxels that have two opposite faces in the skin in one direction, and in no other direction.
void find_sheets(const VoxelSkin& skin, std::vector<std::uint8_t>& is_sheet) {
  std::int32_t last = -1;
  for (const VoxelSkin::Quad& quad : skin.quads) last = std::max(last, quad.voxel);
  std::vector<unsigned> open(static_cast<std::size_t>(last + 1), 0);  // bit k: the face in direction k is in the skin
  for (const VoxelSkin::Quad& quad : skin.quads) open[static_cast<std::size_t>(quad.voxel)] |= 1U << quad.face;
  is_sheet.resize(skin.quads.size());
  for (std::size_t q = 0; q < skin.quads.size(); ++q) {
    const unsigned faces = open[static_cast<std::size_t>(skin.quads[q].voxel)];
    unsigned thin_axes = 0;
    bool is_side = false;
    for (unsigned axis = 0; axis < 3; ++axis) {
      if ((faces >> (2 * axis) & 3U) != 3U) continue;
      ++thin_axes;
      is_side |= skin.quads[q].face / 2U == axis;
    }
    is_sheet[q] = thin_axes == 1 && is_side ? 1 : 0;
  }
}

void find_neighbors(const std::shared_ptr<const VoxelSkin>& of, SkinNeighbors& out) {
  const VoxelSkin& skin = *of;
  out.skin = of;
  out.first.assign(skin.vertices.size() + 1, 0);
  for (const VoxelSkin::Quad& quad : skin.quads)
    for (const std::int32_t v : quad.vertex) ++out.first[static_cast<std::size_t>(v) + 1];
  for (std::size_t v = 1; v < out.first.size(); ++v) out.first[v] += out.first[v - 1];
  out.faces.resize(out.first.back());
  std::vector<std::uint32_t> next(out.first.begin(), out.first.end() - 1);
  for (std::size_t q = 0; q < skin.quads.size(); ++q)
    for (const std::int32_t v : skin.quads[q].vertex)
      out.faces[next[static_cast<std::size_t>(v)]++] = static_cast<std::uint32_t>(q);
  out.beyond.resize(skin.quads.size());
  for (std::size_t q = 0; q < skin.quads.size(); ++q)
    for (std::size_t c = 0; c < 4; ++c)
      out.beyond[q][c] = face_beyond(skin, out, q, skin.quads[q].vertex[c], skin.quads[q].vertex[(c + 1) % 4]);
  find_sheets(skin, out.is_sheet);
}

/// Normal of a face, perpendicular to both diagonals. A degenerate face has the normal 0.
glm::vec3 face_normal(const Figure& figure, std::size_t q) {
  const auto at = [&](std::size_t c) {
    return glm::vec3(figure.corners[static_cast<std::size_t>(figure.skin->quads[q].vertex[c])].place);
  };
  const glm::vec3 n = glm::cross(at(2) - at(0), at(3) - at(1));
  const float length = glm::length(n);
  return length > 0 ? n / length : glm::vec3(0);
}

/// Fills a row of Figure::faces from the normals of all faces.
void place_face(const std::vector<glm::vec3>& normals, std::size_t q, Figure& figure) {
  const SkinNeighbors& all = figure.neighbors;
  const auto& vertex = figure.skin->quads[q].vertex;
  const glm::vec3& own = normals[q];
  SkinFace& out = figure.faces[q];
  for (std::size_t c = 0; c < 4; ++c) {
    const auto v = static_cast<std::size_t>(vertex[c]);
    glm::vec3 sum(0);
    for (std::uint32_t k = all.first[v]; k < all.first[v + 1]; ++k)
      if (const glm::vec3& n = normals[all.faces[k]]; glm::dot(n, own) > crease_cosine) sum += n;
    out.corner[c] = glm::vec4(sum == glm::vec3(0) ? glm::vec3(0, 1, 0) : glm::normalize(sum),
                              all.is_sheet[q] != 0 ? figure.skin->edge_m : 0);
    out.beyond[c] = glm::vec4(0);
    if (all.beyond[q][c] < 0) continue;
    const glm::vec3& other = normals[static_cast<std::size_t>(all.beyond[q][c])];
    const glm::vec3 inwards(figure.corners[static_cast<std::size_t>(vertex[(c + 2) % 4])].place -
                            figure.corners[static_cast<std::size_t>(vertex[(c + 1) % 4])].place);
    if (glm::dot(other, own) < crease_cosine && glm::dot(other, inwards) < 0) out.beyond[c] = glm::vec4(other, 0);
  }
}

void place_faces(Figure& figure) {
  const VoxelSkin& skin = *figure.skin;
  constexpr std::size_t faces_a_chunk = 1024;
  if (figure.neighbors.skin != figure.skin) find_neighbors(figure.skin, figure.neighbors);
  figure.faces.resize(skin.quads.size());
  std::vector<glm::vec3> normals(skin.quads.size());
  parallel_for(normals.size(), faces_a_chunk, [&](Range part, std::size_t) {
    for (std::size_t q = part.begin; q < part.end; ++q) normals[q] = face_normal(figure, q);
  });
  parallel_for(normals.size(), faces_a_chunk, [&](Range part, std::size_t) {
    for (std::size_t q = part.begin; q < part.end; ++q) place_face(normals, q, figure);
  });
  for (std::size_t v = 0; v < figure.corners.size(); ++v) {
    glm::vec3 sum(0);
    for (std::uint32_t k = figure.neighbors.first[v]; k < figure.neighbors.first[v + 1]; ++k)
      sum += normals[figure.neighbors.faces[k]];
    figure.corners[v].normal = glm::vec4(sum == glm::vec3(0) ? glm::vec3(0, 1, 0) : glm::normalize(sum), 0);
  }
}

}  // namespace

void place_corners(Figure& figure) {
  const VoxelSkin& skin = *figure.skin;
  const auto count = static_cast<std::int32_t>(figure.places.size());
  figure.corners.resize(skin.vertices.size());
  for (std::size_t k = 0; k < skin.vertices.size(); ++k) {
    glm::vec3 sum(0);
    int voxels = 0;
    for (std::size_t j = 0; j < 8; ++j) {
      const std::int32_t v = skin.vertices[k].voxel[j];
      if (v < 0 || v >= count) continue;
      const auto at = static_cast<std::size_t>(v);
      const unsigned c = skin.vertices[k].corner[j];
      const float h = figure.places[at].w;
      const glm::vec3 offset{(c & 1U) != 0 ? h : -h, (c & 2U) != 0 ? h : -h, (c & 4U) != 0 ? h : -h};
      sum += glm::vec3(figure.places[at]) + turned(figure.turns[at], offset);
      ++voxels;
    }
    figure.corners[k] = {glm::vec4(voxels > 0 ? sum / static_cast<float>(voxels) : sum, openness(voxels)),
                         glm::vec4(0)};
  }
  place_faces(figure);
}

namespace {

/// Returns the readable form of a material name: "walker_Back_plate" of system "walker" becomes "Back plate".
std::string readable(const std::string& name, const std::string& system) {
  std::string out =
      name.size() > system.size() + 1 && name.starts_with(system + "_") ? name.substr(system.size() + 1) : name;
  std::replace(out.begin(), out.end(), '_', ' ');
  return out;
}

/// Fills the opacity from the alpha values of the tints. If all elements are opaque, the array stays empty. Smoke
/// without tints gets a constant opacity.
void read_opacity(const SystemSnapshot& newest, Figure& out) {
  constexpr std::uint8_t of_puffs = 64;
  out.opacity.clear();
  if (out.soft) out.opacity.assign(newest.position.size(), of_puffs);
  if (newest.tint.size() != newest.position.size()) return;
  const auto solid = [](const Vec4f& tint) { return tint.w() >= 254.5F / 255; };
  if (!out.soft && std::all_of(newest.tint.begin(), newest.tint.end(), solid)) return;
  out.opacity.resize(newest.tint.size());
  for (std::size_t i = 0; i < newest.tint.size(); ++i) {
    const float share = newest.tint[i].w() * 255 + 0.5F;
    out.opacity[i] = static_cast<std::uint8_t>(share > 0 ? std::min(share, 255.0F) : 0.0F);
  }
}

/// Returns the mean colour of the elements, weighted by opacity. The legend shows this colour if elements have
/// individual colours.
glm::vec3 mean_tint(const SystemSnapshot& newest) {
  const glm::vec4 sum = ordered_sum(newest.tint.size(), figure_elements_a_chunk, glm::vec4(0), [&](Range part) {
    glm::vec4 row(0);
    for (std::size_t i = part.begin; i < part.end; ++i) {
      const Vec4f& tint = newest.tint[i];
      if (std::isfinite(tint.sum())) row += tint.w() * glm::vec4(tint.x(), tint.y(), tint.z(), 1);
    }
    return row;
  });
  return glm::vec3(sum) / std::max(sum.w, 1e-6F);
}

/// If there are too many bodies to list them by name, lists their number and mean colour instead.
void count_bodies(const SystemSnapshot& newest, Legend& legend) {
  constexpr std::size_t most_names = 6;
  if (newest.look_kind() != LookKind::rigid || legend.entries.size() <= most_names) return;
  glm::vec3 mean(0);
  for (const auto& entry : legend.entries) mean += entry.second / static_cast<float>(legend.entries.size());
  legend.entries = {{"", mean}};
  legend.title += " (" + std::to_string(newest.position.size()) + ")";
}

/// Darkens sleeping elements.
void darken_sleepers(const SystemSnapshot& newest, Figure& out) {
  if (newest.asleep.size() != out.colors.size()) return;
  for (std::size_t i = 0; i < out.colors.size(); ++i)
    if (newest.asleep[i] != 0) out.colors[i] = pack_linear(0.45F * linear_of(out.colors[i]));
}

void color_by_material(const SystemSnapshot& newest, Figure& out, Legend& legend) {
  legend.title = newest.name;
  legend.unit.clear();
  legend.colors.clear();
  legend.entries.resize(newest.palette.size());
  std::array<std::uint32_t, 256> packed{};  // material numbers are bytes
  for (std::size_t i = 0; i < newest.palette.size(); ++i) {
    const glm::vec3 color = srgb_of(to_glm(newest.palette[i]));
    if (i < packed.size()) packed[i] = pack_color(color);
    legend.entries[i] = {i < newest.palette_names.size() ? readable(newest.palette_names[i], newest.name) : "", color};
  }
  if (newest.tint.size() == newest.position.size() && !newest.tint.empty()) {
    if (legend.entries.size() == 1) legend.entries[0].second = srgb_of(mean_tint(newest));
    parallel_for(out.colors.size(), figure_elements_a_chunk, [&](Range part, std::size_t) {
      for (std::size_t i = part.begin; i < part.end; ++i)
        out.colors[i] = pack_linear({newest.tint[i].x(), newest.tint[i].y(), newest.tint[i].z()});
    });
    return;
  }
  const std::uint32_t plain = pack_color({0.62F, 0.66F, 0.72F});
  for (std::size_t i = 0; i < out.colors.size(); ++i) {
    const std::size_t m = i < newest.material.size() ? newest.material[i] : 0;
    out.colors[i] = m < newest.palette.size() ? packed[m] : plain;
  }
}

/// Minimum range of a colour map. Strain and stress of a body at rest are rounding errors, which must not appear as a
/// pattern.
float least_range(const std::string& unit) {
  if (unit == "Pa") return 1e-6F;
  return unit.empty() || unit == "m" || unit == "m/s" ? 1e-9F : 1e-15F;
}

std::string channel_of(const std::string& title) {
  const std::size_t colon = title.find(": ");
  return colon == std::string::npos ? title : title.substr(colon + 2);
}

}  // namespace

ValueRange follow_range(SmoothRange& smooth, const std::string& channel, const ValueRange& wanted, double time_s) {
  const double passed = time_s - smooth.time_s;
  if (!smooth.set || smooth.channel != channel || passed < 0 || passed > 2) {
    smooth = {channel, wanted, time_s, true};
    return wanted;
  }
  const auto part = static_cast<float>(1 - std::exp(-passed / 0.3));
  smooth.range.min += part * (wanted.min - smooth.range.min);
  smooth.range.max += part * (wanted.max - smooth.range.max);
  smooth.time_s = time_s;
  return smooth.range;
}

bool joins_another(const Legend& legend, std::span<Legend> before) {
  if (legend.colors.empty()) return false;
  const std::string channel = channel_of(legend.title);
  for (Legend& other : before) {
    if (channel_of(other.title) != channel || other.unit != legend.unit || other.min != legend.min ||
        other.max != legend.max)
      continue;
    if (other.colors != legend.colors || other.logarithmic != legend.logarithmic) continue;
    other.title = channel;
    return true;
  }
  return false;
}

void color_figure(const SystemSnapshot& newest, const ViewParams& view, double time_s, SmoothRange& smooth,
                  std::vector<float>& scratch, Figure& out, Legend& legend) {
  out.colors.resize(newest.position.size());
  legend.lists_one = false;  // `legend` may have been the legend of actuators or surfaces in the previous frame
  read_opacity(newest, out);
  const auto channel = std::find_if(newest.channels.begin(), newest.channels.end(),
                                    [&](const Channel& c) { return c.name == view.color_by; });
  out.own_colors = channel == newest.channels.end() || channel->values.size() != newest.position.size();
  if (out.own_colors) {
    color_by_material(newest, out, legend);
    count_bodies(newest, legend);
    if (view.sleepers) darken_sleepers(newest, out);
    return;
  }
  const auto info = std::find_if(newest.available.begin(), newest.available.end(),
                                 [&](const ChannelInfo& c) { return c.name == view.color_by; });
  const bool is_signed = info != newest.available.end() && info->is_signed;
  const ColorMap map = with_levels(color_map(view.color_map, is_signed), view.color_levels);
  const bool logarithmic = view.color_scale == ColorScale::logarithmic;
  const bool symmetric = (is_signed || view.range_symmetric) && !logarithmic;
  ValueRange range{static_cast<float>(view.range_min), static_cast<float>(view.range_max)};
  if (view.range_auto) {
    range = follow_range(smooth, newest.name + "." + channel->name, value_range(channel->values, symmetric, scratch),
                         time_s);
    range.max = std::max(range.max, least_range(info != newest.available.end() ? info->unit : std::string()));
    if (symmetric) range.min = -range.max;
  } else if (view.range_symmetric && !logarithmic) {
    range.max = std::max(std::abs(range.min), std::abs(range.max));
    range.min = -range.max;
  }
  if (logarithmic) range = logarithmic_range(range);
  const float low = logarithmic ? std::log(range.min) : range.min, high = logarithmic ? std::log(range.max) : range.max;
  const float scale = static_cast<float>(map.size() - 1) / std::max(high - low, 1e-30F);
  parallel_for(out.colors.size(), figure_elements_a_chunk, [&](Range part, std::size_t) {
    for (std::size_t i = part.begin; i < part.end; ++i) {
      const float value = logarithmic ? std::log(channel->values[i]) : channel->values[i];
      const float at = (value - low) * scale;
      // The negation sends NaN to the low end of the map.
      const std::size_t step =
          !(at > 0) ? 0 : std::min(static_cast<std::size_t>(std::min(at + 0.5F, 1e6F)), map.size() - 1);
      out.colors[i] = pack_color(map[step]);
    }
  });
  legend.title = newest.name + ": " + channel->name;
  legend.unit = info != newest.available.end() ? info->unit : "";
  legend.min = range.min;
  legend.max = range.max;
  legend.colors = map;
  legend.logarithmic = logarithmic;
  legend.levels = view.color_levels < 2 ? 0 : static_cast<int>(view.color_levels);
  legend.entries.clear();
}

}  // namespace vw

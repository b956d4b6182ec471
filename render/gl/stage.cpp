// Builds the shader programs of all passes, uploads data to buffers, and draws the buffers.
#include "render/gl/stage.h"

#include <algorithm>

namespace vw {
namespace {

constexpr std::array recipes{
    PassRecipe{Pass::sky, "sky", "tint", "#define DITHERED\n"},
    PassRecipe{Pass::plane, "plane", "plane", ""},
    PassRecipe{Pass::pane, "plane", "pane", ""},
    PassRecipe{Pass::ground, "ground", "ground", ""},
    PassRecipe{Pass::ground_mapped, "ground", "ground", "#define MAPPED\n"},
    PassRecipe{Pass::ground_dark, "ground_dark", "ground_dark", ""},
    PassRecipe{Pass::skin, "skin", "skin", ""},
    PassRecipe{Pass::skin_simple, "skin_simple", "skin_simple", ""},
    PassRecipe{Pass::sphere, "sphere", "sphere", ""},
    PassRecipe{Pass::sphere_simple, "sphere_simple", "sphere_simple", ""},
    PassRecipe{Pass::sphere_point, "sphere_point", "sphere_simple", "#define POINT\n"},
    PassRecipe{Pass::sphere_exact, "sphere", "sphere", "#define EXACT_DEPTH\n"},
    PassRecipe{Pass::splat, "splat", "splat", ""},
    PassRecipe{Pass::sheet, "sheet", "sheet", ""},
    PassRecipe{Pass::band, "band", "band", ""},
    PassRecipe{Pass::mesh, "mesh", "mesh", ""},
    PassRecipe{Pass::mesh_simple, "mesh_simple", "tint", ""},
    PassRecipe{Pass::glass, "mesh", "glass", ""},
    PassRecipe{Pass::member, "member", "member", ""},
    PassRecipe{Pass::member_simple, "member", "member_simple", "#define SIMPLE\n"},
    PassRecipe{Pass::mote, "mote", "member", ""},
    PassRecipe{Pass::mote_simple, "mote", "tint", "#define SIMPLE\n"},
    PassRecipe{Pass::fluid_depth, "fluid_ball", "fluid_depth", ""},
    PassRecipe{Pass::fluid_thickness, "fluid_ball", "fluid_thickness", "#define THICKNESS\n"},
    PassRecipe{Pass::fluid_depth_points, "fluid_point", "fluid_point", ""},
    PassRecipe{Pass::fluid_thickness_points, "fluid_point", "fluid_point", "#define THICKNESS\n"},
    PassRecipe{Pass::fluid_mesh, "fluid_mesh", "fluid_mesh", ""},
    PassRecipe{Pass::fluid_smooth, "screen", "fluid_smooth", ""},
    PassRecipe{Pass::fluid_smooth_simple, "screen", "fluid_smooth", "#define SIMPLE\n"},
    PassRecipe{Pass::fluid_blur, "screen", "fluid_blur", ""},
    PassRecipe{Pass::fluid_surface, "screen", "fluid_surface", ""},
    PassRecipe{Pass::fluid_surface_simple, "screen", "fluid_surface", "#define SIMPLE\n"},
    PassRecipe{Pass::fluid_spread, "screen", "fluid_spread", ""},
    PassRecipe{Pass::occlusion, "screen", "occlusion", ""},
    PassRecipe{Pass::occlusion_blur, "screen", "occlusion_blur", ""},
    PassRecipe{Pass::occlusion_apply, "screen", "occlusion_apply", ""},
    PassRecipe{Pass::arrow, "arrow", "arrow", ""},
    PassRecipe{Pass::line, "line", "line", ""},
    PassRecipe{Pass::overlay, "overlay", "overlay", ""},
    PassRecipe{Pass::depth_skin, "depth_skin", "depth", ""},
    PassRecipe{Pass::depth_sphere, "depth_sphere", "depth_sphere", ""},
    PassRecipe{Pass::depth_mesh, "depth_mesh", "depth", ""},
    PassRecipe{Pass::depth_member, "member", "depth", "#define DEPTH\n"},
    PassRecipe{Pass::depth_mote, "mote", "depth", "#define DEPTH\n"},
};

const SurfaceMesh& unit_surface(ColliderSnapshot::Kind kind) {
  ColliderSnapshot collider;
  collider.kind = kind;
  return *surface_of(collider);
}

constexpr auto loop_pattern = std::to_array<unsigned>({0, 1, 2, 0, 2, 3});
constexpr auto strip_pattern = std::to_array<unsigned>({0, 1, 2, 2, 1, 3});
constexpr auto arrow_pattern = std::to_array<unsigned>({0, 1, 2, 2, 1, 3, 4, 5, 6});

}  // namespace

std::span<const PassRecipe> pass_recipes() { return recipes; }

Result<void> Stage::build(Stage& stage) {
  for (const PassRecipe& recipe : recipes) {
    auto program = build_program(recipe.vertex, recipe.fragment, recipe.defines);
    if (!program) return tl::unexpected(program.error());
    stage.programs[static_cast<std::size_t>(recipe.pass)] = std::move(*program);
  }
  stage.empty = make_vertex_array();
  stage.sphere.upload(unit_surface(ColliderSnapshot::Kind::sphere));
  stage.box.upload(unit_surface(ColliderSnapshot::Kind::box));
  return {};
}

void Stage::bind_indices(StreamBuffer& buffer, std::size_t& have, std::size_t wanted, std::span<const unsigned> pattern,
                         unsigned stride) {
  if (wanted > have) {
    have = std::max<std::size_t>(wanted + wanted / 2, 1024);
    std::vector<unsigned> indices;
    indices.reserve(have * pattern.size());
    for (std::size_t i = 0; i < have; ++i)
      for (const unsigned p : pattern) indices.push_back(static_cast<unsigned>(i) * stride + p);
    buffer.fill(std::span<const unsigned>(indices));
  }
  glBindVertexArray(empty.id());
  glVertexArrayElementBuffer(empty.id(), buffer.id());
}

void Stage::upload_figure(std::size_t at, const Figure& figure) {
  if (figures.size() <= at) figures.resize(at + 1);
  FigureBuffers& to = figures[at];
  to.colors.fill(std::span<const std::uint32_t>(figure.colors));
  to.rows.clear();
  if (figure.shape != FigureShape::balls && figure.shape != FigureShape::skin) return;
  if (figure.shape == FigureShape::balls) {
    // Figures with transparent elements are drawn as splats, so their positions in this buffer serve shadows only.
    if (!figure.opacity.empty()) shadow_places = figure.places;
    for (std::size_t i = 0; i < figure.opacity.size(); ++i)
      if (!casts_shadow(figure, i)) shadow_places[i].w = 0;
    to.places.fill(std::span<const glm::vec4>(figure.opacity.empty() ? figure.places : shadow_places));
    to.balls = figure.places.size();
    to.points = false;
    return;
  }
  to.corners.fill(std::span<const SkinCorner>(figure.corners));
  to.faces.fill(std::span<const SkinFace>(figure.faces));
  if (to.skin == figure.skin) return;
  std::vector<glm::ivec4> quads;
  std::vector<std::int32_t> owners;
  for (const VoxelSkin::Quad& quad : figure.skin->quads) {
    quads.emplace_back(quad.vertex[0], quad.vertex[1], quad.vertex[2], quad.vertex[3]);
    owners.push_back(quad.voxel);
  }
  to.quads.fill(std::span<const glm::ivec4>(quads));
  to.owners.fill(std::span<const std::int32_t>(owners));
  to.skin = figure.skin;
}

void Stage::upload_balls(std::size_t at, const Figure& figure, const std::vector<std::uint32_t>& rows, bool as_points) {
  if (figures.size() <= at) figures.resize(at + 1);
  shadow_places.clear();
  ball_colors.clear();
  for (const std::uint32_t row : rows) {
    shadow_places.push_back(figure.places[row]);
    ball_colors.push_back(figure.colors[row]);
  }
  FigureBuffers& to = figures[at];
  to.places.fill(std::span<const glm::vec4>(shadow_places));
  to.colors.fill(std::span<const std::uint32_t>(ball_colors));
  to.balls = rows.size();
  to.points = as_points;
  to.rows = rows;
}

int FigureBuffers::place_of(int row) const {
  if (rows.empty() || row < 0) return row;
  const auto found = std::find(rows.begin(), rows.end(), static_cast<std::uint32_t>(row));
  return found == rows.end() ? -1 : static_cast<int>(found - rows.begin());
}

void Stage::draw_skin(std::size_t at) {
  const FigureBuffers& from = figures[at];
  const std::size_t quads = from.skin->quads.size();
  if (quads == 0) return;
  bind_indices(loop_indices, loops, quads, loop_pattern, 4);
  from.corners.bind_storage(0);
  from.quads.bind_storage(1);
  from.owners.bind_storage(2);
  from.colors.bind_storage(3);
  from.faces.bind_storage(4);
  glDrawElements(GL_TRIANGLES, static_cast<GLsizei>(6 * quads), GL_UNSIGNED_INT, nullptr);
}

void Stage::draw_spheres(std::size_t at) {
  if (figures[at].balls == 0) return;
  figures[at].places.bind_storage(0);
  figures[at].colors.bind_storage(3);
  figures[at].points ? draw_points(figures[at].balls) : draw_strips(figures[at].balls);
}

void Stage::draw_points(std::size_t count) {
  glBindVertexArray(empty.id());
  glEnable(GL_PROGRAM_POINT_SIZE);
  glDrawArrays(GL_POINTS, 0, static_cast<GLsizei>(count));
  glDisable(GL_PROGRAM_POINT_SIZE);
}

void Stage::draw_strips(std::size_t first, std::size_t count) {
  if (count == 0) return;
  bind_indices(strip_indices, strips, first + count, strip_pattern, 4);
  // NOLINTNEXTLINE(performance-no-int-to-ptr): OpenGL takes an offset into the index buffer as a pointer
  const auto* const offset = reinterpret_cast<const void*>(6 * first * sizeof(unsigned));
  glDrawElements(GL_TRIANGLES, static_cast<GLsizei>(6 * count), GL_UNSIGNED_INT, offset);
}

void Stage::draw_arrows(std::span<const Arrow> arrows) {
  if (arrows.empty()) return;
  bind_indices(arrow_indices, arrow_slots, arrows.size(), arrow_pattern, 7);
  arrow_data.fill(arrows);
  arrow_data.bind_storage(0);
  glDrawElements(GL_TRIANGLES, static_cast<GLsizei>(9 * arrows.size()), GL_UNSIGNED_INT, nullptr);
}

void Stage::upload_meshes(std::span<const ColliderSnapshot> solids) {
  begin_keeping(meshes);
  for (const ColliderSnapshot& collider : solids)
    if (collider.kind == ColliderSnapshot::Kind::mesh && collider.mesh != nullptr) keep(meshes, collider.mesh);
  end_keeping(meshes);
}

const Mesh* Stage::mesh_of(const ColliderSnapshot& collider) {
  if (collider.kind == ColliderSnapshot::Kind::sphere) return &sphere;
  if (collider.kind == ColliderSnapshot::Kind::box) return &box;
  const auto kept = meshes.find(collider.mesh.get());
  return kept == meshes.end() || kept->second.mesh.count == 0 ? nullptr : &kept->second.mesh;
}

void Stage::draw_depth(const ColliderSnapshot& collider) {
  const Mesh* mesh = mesh_of(collider);
  if (mesh == nullptr) return;
  const glm::mat4 place = matrix_of(collider);
  glUniformMatrix4fv(4, 1, GL_FALSE, glm::value_ptr(place));
  glBindVertexArray(mesh->array.id());
  glDrawElements(GL_TRIANGLES, mesh->count, GL_UNSIGNED_INT, nullptr);
}

void Stage::bind_ground_map(int side) {
  if (!ground_map) ground_map = make_map(GL_RG8, side, side, GL_LINEAR);
  glBindTextureUnit(1, ground_map.id());
}

void Stage::upload_ground_map(std::span<const std::uint8_t> texels, int side) {
  bind_ground_map(side);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTextureSubImage2D(ground_map.id(), 0, 0, 0, side, side, GL_RG, GL_UNSIGNED_BYTE, texels.data());
}

void Stage::upload_caustics(const Caustics& caustics) {
  block.water = {caustics.slant(), caustics.ground_m(), caustics.level_scale_m()};
  block.caustic_box = caustics.box();
  if (!caustic_map) caustic_map = make_map(GL_RG8, Caustics::side, Caustics::side, GL_LINEAR);
  glBindTextureUnit(11, caustic_map.id());
  if (!caustics.any()) return;
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTextureSubImage2D(caustic_map.id(), 0, 0, 0, Caustics::side, Caustics::side, GL_RG, GL_UNSIGNED_BYTE,
                      caustics.texels().data());
}

void Stage::upload_frame() {
  frame.fill(std::span<const FrameBlock>(&block, 1));
  glBindBufferBase(GL_UNIFORM_BUFFER, 0, frame.id());
}

}  // namespace vw

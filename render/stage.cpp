// Programs, buffers and index patterns; nothing here knows what a picture looks like.
#include "render/stage.h"

#include <cmath>

#include <glm/gtc/constants.hpp>

namespace vw {
namespace {

struct Recipe {
  Pass pass;
  const char* vertex;
  const char* fragment;
  const char* defines;
};
constexpr std::array recipes{
    Recipe{Pass::sky, "sky", "tint", ""},
    Recipe{Pass::plane, "plane", "plane", ""},
    Recipe{Pass::ground, "ground", "ground", ""},
    Recipe{Pass::ground_mapped, "ground", "ground", "#define MAPPED\n"},
    Recipe{Pass::skin, "skin", "skin", ""},
    Recipe{Pass::skin_simple, "skin_simple", "skin_simple", ""},
    Recipe{Pass::sphere, "sphere", "sphere", ""},
    Recipe{Pass::sphere_simple, "sphere_simple", "sphere_simple", ""},
    Recipe{Pass::sphere_exact, "sphere", "sphere", "#define EXACT_DEPTH\n"},
    Recipe{Pass::mesh, "mesh", "mesh", ""},
    Recipe{Pass::mesh_simple, "mesh_simple", "tint", ""},
    Recipe{Pass::arrow, "arrow", "arrow", ""},
    Recipe{Pass::line, "line", "line", ""},
    Recipe{Pass::overlay, "overlay", "overlay", ""},
    Recipe{Pass::depth_skin, "depth_skin", "depth", ""},
    Recipe{Pass::depth_sphere, "depth_sphere", "depth_sphere", ""},
    Recipe{Pass::depth_mesh, "depth_mesh", "depth", ""},
};

struct Vertex {
  glm::vec3 position, normal;
};

void upload_mesh(Mesh& mesh, std::span<const Vertex> vertices, std::span<const unsigned> indices) {
  mesh.array = make_vertex_array();
  mesh.vertices.fill(vertices);
  mesh.indices.fill(indices);
  mesh.count = static_cast<GLsizei>(indices.size());
  const GLuint array = mesh.array.id();
  glVertexArrayVertexBuffer(array, 0, mesh.vertices.id(), 0, sizeof(Vertex));
  glVertexArrayElementBuffer(array, mesh.indices.id());
  for (GLuint k = 0; k < 2; ++k) {
    glEnableVertexArrayAttrib(array, k);
    glVertexArrayAttribFormat(array, k, 3, GL_FLOAT, GL_FALSE, k * static_cast<GLuint>(sizeof(glm::vec3)));
    glVertexArrayAttribBinding(array, k, 0);
  }
}

void make_sphere(Mesh& mesh) {
  constexpr unsigned rings = 32, segments = 64;
  std::vector<Vertex> vertices;
  std::vector<unsigned> indices;
  for (unsigned r = 0; r <= rings; ++r)
    for (unsigned s = 0; s <= segments; ++s) {
      const float a = glm::pi<float>() * static_cast<float>(r) / rings, b = glm::two_pi<float>() * static_cast<float>(s) / segments;
      const glm::vec3 p{std::sin(a) * std::cos(b), std::cos(a), -std::sin(a) * std::sin(b)};
      vertices.push_back({p, p});
      if (r == rings || s == segments) continue;
      const unsigned i = r * (segments + 1) + s, below = i + segments + 1;
      indices.insert(indices.end(), {i, below, i + 1, i + 1, below, below + 1});
    }
  upload_mesh(mesh, vertices, indices);
}

void make_box(Mesh& mesh) {
  std::vector<Vertex> vertices;
  std::vector<unsigned> indices;
  for (int axis = 0; axis < 3; ++axis)
    for (const float side : {-1.0F, 1.0F}) {
      glm::vec3 n(0), u(0), v(0);
      n[axis] = side;
      u[(axis + 1) % 3] = side;  // u x v = n
      v[(axis + 2) % 3] = 1;
      const auto first = static_cast<unsigned>(vertices.size());
      for (const glm::vec3& p : {n - u - v, n + u - v, n + u + v, n - u + v}) vertices.push_back({p, n});
      indices.insert(indices.end(), {first, first + 1, first + 2, first, first + 2, first + 3});
    }
  upload_mesh(mesh, vertices, indices);
}

constexpr std::array<unsigned, 6> loop_pattern{0, 1, 2, 0, 2, 3};
constexpr std::array<unsigned, 6> strip_pattern{0, 1, 2, 2, 1, 3};
constexpr std::array<unsigned, 9> arrow_pattern{0, 1, 2, 2, 1, 3, 4, 5, 6};

}  // namespace

Result<void> Stage::build(Stage& stage) {
  for (const Recipe& recipe : recipes) {
    auto program = build_program(recipe.vertex, recipe.fragment, recipe.defines);
    if (!program) return tl::unexpected(program.error());
    stage.programs[static_cast<std::size_t>(recipe.pass)] = std::move(*program);
  }
  stage.empty = make_vertex_array();
  make_sphere(stage.sphere);
  make_box(stage.box);
  return {};
}

void Stage::bind_indices(StreamBuffer& buffer, std::size_t& have, std::size_t wanted, std::span<const unsigned> pattern, unsigned stride) {
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
  if (figure.look == Look::spheres || figure.skin == nullptr) {
    to.places.fill(std::span<const glm::vec4>(figure.places));
    return;
  }
  to.corners.fill(std::span<const SkinCorner>(figure.corners));
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

void Stage::draw_skin(std::size_t at) {
  const FigureBuffers& from = figures[at];
  const std::size_t quads = from.skin->quads.size();
  if (quads == 0) return;
  bind_indices(loop_indices, loops, quads, loop_pattern, 4);
  from.corners.bind_storage(0);
  from.quads.bind_storage(1);
  from.owners.bind_storage(2);
  from.colors.bind_storage(3);
  glDrawElements(GL_TRIANGLES, static_cast<GLsizei>(6 * quads), GL_UNSIGNED_INT, nullptr);
}

void Stage::draw_spheres(std::size_t at, std::size_t count) {
  if (count == 0) return;
  figures[at].places.bind_storage(0);
  figures[at].colors.bind_storage(3);
  draw_strips(count);
}

void Stage::draw_strips(std::size_t count) {
  bind_indices(strip_indices, strips, count, strip_pattern, 4);
  glDrawElements(GL_TRIANGLES, static_cast<GLsizei>(6 * count), GL_UNSIGNED_INT, nullptr);
}

void Stage::draw_arrows(const std::vector<Arrow>& arrows) {
  if (arrows.empty()) return;
  bind_indices(arrow_indices, arrow_slots, arrows.size(), arrow_pattern, 7);
  arrow_data.fill(std::span<const Arrow>(arrows));
  arrow_data.bind_storage(0);
  glDrawElements(GL_TRIANGLES, static_cast<GLsizei>(9 * arrows.size()), GL_UNSIGNED_INT, nullptr);
}

void Stage::upload_frame() {
  frame.fill(std::span<const FrameBlock>(&block, 1));
  glBindBufferBase(GL_UNIFORM_BUFFER, 0, frame.id());
}

}  // namespace vw

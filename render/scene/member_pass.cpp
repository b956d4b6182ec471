#include "render/scene/member_pass.h"

#include <glm/gtc/type_ptr.hpp>

#include "render/gl/stage.h"

namespace vw {

namespace {

struct Vertex {
  Vec3f position, normal;
};

void draw_group(Stage& stage, const MemberGroup& group) {
  const auto count = static_cast<GLsizei>(group.count);
  if (group.detail == MemberDetail::mote) return stage.draw_strips(group.count);
  const auto kept = stage.members.meshes.find(group.mesh.get());
  if (kept == stage.members.meshes.end()) return;
  glBindVertexArray(kept->second.mesh.array.id());
  glDrawElementsInstanced(GL_TRIANGLES, kept->second.mesh.count, GL_UNSIGNED_INT, nullptr, count);
}

/// Draws all groups of the list. `of_bodies` is the shader program for meshes, and `of_motes` the program for distant
/// members, which are drawn as lozenges (MemberDetail::mote).
void draw_groups(Stage& stage, const MemberDrawList& order, const StreamBuffer& rows, Pass of_bodies, Pass of_motes,
                 float least_px) {
  for (const MemberGroup& group : order.groups()) {
    const bool mote = group.detail == MemberDetail::mote;
    stage.use(mote ? of_motes : of_bodies);
    stage.members.members[group.figure].bind_storage(0);
    rows.bind_storage(1);
    glUniform1i(0, static_cast<GLint>(group.first));
    glUniform1f(2, group.pale);
    if (mote) {
      glUniform3fv(1, 1, glm::value_ptr(group.mote));
      glUniform1f(3, least_px);
    } else {
      glUniform1i(1, static_cast<GLint>(group.motion));
      glUniform3fv(3, 1, glm::value_ptr(group.eye));
    }
    glUniformMatrix4fv(4, 1, GL_FALSE, glm::value_ptr(stage.light_clip));
    draw_group(stage, group);
  }
}

}  // namespace

void Mesh::upload(const SurfaceMesh& from) {
  std::vector<Vertex> to(from.position.size());
  for (std::size_t i = 0; i < to.size(); ++i)
    to[i] = {from.position[i], i < from.normal.size() ? from.normal[i] : Vec3f(0, 1, 0)};
  array = make_vertex_array();
  vertices.fill(std::span<const Vertex>(to));
  indices.fill(std::span<const std::array<std::uint32_t, 3>>(from.triangle));
  count = static_cast<GLsizei>(3 * from.triangle.size());
  glVertexArrayVertexBuffer(array.id(), 0, vertices.id(), 0, sizeof(Vertex));
  glVertexArrayElementBuffer(array.id(), indices.id());
  for (GLuint k = 0; k < 2; ++k) {
    glEnableVertexArrayAttrib(array.id(), k);
    glVertexArrayAttribFormat(array.id(), k, 3, GL_FLOAT, GL_FALSE, k * static_cast<GLuint>(sizeof(Vec3f)));
    glVertexArrayAttribBinding(array.id(), k, 0);
  }
}

void begin_keeping(KeptMeshes& meshes) {
  for (auto& [mesh, kept] : meshes) kept.shown = false;
}
void keep(KeptMeshes& meshes, const std::shared_ptr<const SurfaceMesh>& mesh) {
  KeptMesh& kept = meshes[mesh.get()];
  if (kept.source == nullptr) {
    kept.source = mesh;
    kept.mesh.upload(*mesh);
  }
  kept.shown = true;
}
void end_keeping(KeptMeshes& meshes) {
  std::erase_if(meshes, [](const auto& entry) { return !entry.second.shown; });
}

void MemberBuffers::upload(const std::vector<Figure>& figures, std::size_t count, const MemberDrawList& for_eye,
                           const MemberDrawList& for_sun) {
  if (members.size() < count) members.resize(count);
  for (std::size_t f = 0; f < count; ++f) {
    const Figure& figure = figures[f];
    if (figure.shape != FigureShape::members) continue;
    rows_.resize(figure.places.size());
    for (std::size_t i = 0; i < rows_.size(); ++i)
      rows_[i] = {figure.places[i], figure.turns[i], figure.colors[i], figure.beat[i], {}};
    members[f].fill(std::span<const MemberRow>(rows_));
  }
  seen.fill(std::span<const std::uint32_t>(for_eye.rows()));
  shading.fill(std::span<const std::uint32_t>(for_sun.rows()));
  begin_keeping(meshes);
  for (const MemberDrawList* order : {&for_eye, &for_sun})
    for (const MemberGroup& group : order->groups())
      if (group.detail != MemberDetail::mote) keep(meshes, group.mesh);
  end_keeping(meshes);
}

void draw_members(Stage& stage, const MemberDrawList& order, bool simple, float least_px) {
  if (order.groups().empty()) return;
  glEnable(GL_CULL_FACE);
  draw_groups(stage, order, stage.members.seen, simple ? Pass::member_simple : Pass::member,
              simple ? Pass::mote_simple : Pass::mote, least_px);
  glDisable(GL_CULL_FACE);
}

void draw_member_shadows(Stage& stage, const MemberDrawList& order) {
  draw_groups(stage, order, stage.members.shading, Pass::depth_member, Pass::depth_mote, 0);
}

}  // namespace vw

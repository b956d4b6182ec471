// Members of flocks on the device (render/members.h): each figure's rows, the meshes of its species, and their drawing, one call a group.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "render/gl_object.h"
#include "render/members.h"

namespace vw {

struct Stage;

/// A triangle mesh on the device.
struct Mesh {
  GlVertexArray array;
  StreamBuffer vertices, indices;
  GLsizei count = 0;
  void upload(const SurfaceMesh& from);
};

/// A surface on the device; given back when a frame no longer shows it.
struct KeptMesh {
  std::shared_ptr<const SurfaceMesh> source;
  Mesh mesh;
  bool shown = false;
};
using KeptMeshes = std::unordered_map<const SurfaceMesh*, KeptMesh>;
/// Marks all as not shown, or takes away those that still are not.
void begin_keeping(KeptMeshes& meshes);
void keep(KeptMeshes& meshes, const std::shared_ptr<const SurfaceMesh>& mesh);
void end_keeping(KeptMeshes& meshes);

/// As shaders/member.vert reads it (std430).
struct MemberRow {
  glm::vec4 place, turn;
  std::uint32_t color = 0;
  float beat = 0;
  std::array<float, 2> unused{};
};

struct MemberBuffers {
  std::vector<StreamBuffer> members;  ///< by figure
  StreamBuffer seen, shading;         ///< rows of the two orders
  KeptMeshes meshes;

  void upload(const std::vector<Figure>& figures, std::size_t count, const MemberOrder& for_eye, const MemberOrder& for_sun);

 private:
  std::vector<MemberRow> rows_;  ///< scratch
};

/// Into the bound target, lit.
void draw_members(Stage& stage, const MemberOrder& order, bool simple, float least_px);
/// Into the bound shadow map.
void draw_member_shadows(Stage& stage, const MemberOrder& order);

}  // namespace vw

// OpenGL pass for members of flocks (render/scene/members.h). The pass uploads the rows of each figure and the meshes
// of the species, and draws each group with one call.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "render/gl/gl_object.h"
#include "render/scene/members.h"

namespace vw {

struct Stage;

/// Triangle mesh in GPU buffers.
struct Mesh {
  GlVertexArray array;
  StreamBuffer vertices, indices;
  GLsizei count = 0;
  /// Copies the mesh to the GPU.
  void upload(const SurfaceMesh& from);
};

/// Mesh in GPU buffers that is released if a frame does not use it.
struct KeptMesh {
  std::shared_ptr<const SurfaceMesh> source;
  Mesh mesh;
  bool shown = false;
};
using KeptMeshes = std::unordered_map<const SurfaceMesh*, KeptMesh>;
/// begin_keeping() marks all meshes as unused. keep() marks a mesh as used and uploads it if necessary. end_keeping()
/// releases the unused meshes.
void begin_keeping(KeptMeshes& meshes);
void keep(KeptMeshes& meshes, const std::shared_ptr<const SurfaceMesh>& mesh);
void end_keeping(KeptMeshes& meshes);

/// Data of one member, in the layout that shaders/member.vert reads (std430).
struct MemberRow {
  glm::vec4 place, turn;
  std::uint32_t color = 0;
  float beat = 0;
  std::array<float, 2> unused{};
};

struct MemberBuffers {
  std::vector<StreamBuffer> members;  ///< indexed by figure
  StreamBuffer seen, shading;         ///< figure rows in the order for the camera and in the order for the sun
  KeptMeshes meshes;

  /// Copies the rows of all members, their order, and the meshes of the species to the GPU.
  void upload(const std::vector<Figure>& figures, std::size_t count, const MemberDrawList& for_eye,
              const MemberDrawList& for_sun);

 private:
  std::vector<MemberRow> rows_;  ///< scratch
};

/// Draws members with lighting into the bound target. `simple`: whether lighting is computed per vertex. `least_px`:
/// minimum half axis of a mote [px].
void draw_members(Stage& stage, const MemberDrawList& order, bool simple, float least_px);
/// Draws members into the bound shadow map.
void draw_member_shadows(Stage& stage, const MemberDrawList& order);

}  // namespace vw

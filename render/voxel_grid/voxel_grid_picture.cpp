#include "render/voxel_grid/voxel_grid_picture.h"

#include <algorithm>
#include <cmath>

#include <glm/gtc/type_ptr.hpp>

#include "render/gl/gl_object.h"
#include "render/gl/shader.h"

namespace vw {
namespace {

/// A face as the shader reads it.
struct PackedFace {
  std::uint32_t xy, z_face, rgba, mark;
};
static_assert(sizeof(PackedFace) == 16);

PackedFace packed(const GridFace& face) {
  const auto bits = [](std::int16_t value) { return static_cast<std::uint32_t>(static_cast<std::uint16_t>(value)); };
  return {bits(face.x) | bits(face.y) << 16U, bits(face.z) | static_cast<std::uint32_t>(face.face) << 16U, face.rgba,
          face.is_marked ? 1U : 0U};
}

/// Faces of one list in a buffer, sorted by direction.
struct FaceBuffer {
  StreamBuffer buffer;
  std::array<std::size_t, 7> first{};  ///< index of the first face of each direction, followed by the number of faces
  /// For each direction, the coordinate along its axis that limits the visibility of the faces: the smallest coordinate
  /// of the upper faces, or the largest coordinate of the lower faces. Upper faces are visible only if the eye is above
  /// the limit, and lower faces only if it is below.
  std::array<float, 6> limit{};

  void fill(std::span<const GridFace> faces) {
    std::array<std::size_t, 6> count{};
    for (const GridFace& face : faces) ++count[face.face];
    for (std::size_t d = 0; d < 6; ++d) {
      first[d + 1] = first[d] + count[d];
      limit[d] = d % 2 == 1 ? 1e9F : -1e9F;
    }
    std::vector<PackedFace> sorted(faces.size());
    std::array<std::size_t, 6> next{};
    std::copy_n(first.begin(), 6, next.begin());
    for (const GridFace& face : faces) {
      sorted[next[face.face]++] = packed(face);
      const std::array<std::int16_t, 3> cell{face.x, face.y, face.z};
      const bool is_upper = face.face % 2 == 1;
      const float at = static_cast<float>(cell[face.face / 2U]) + (is_upper ? 1.0F : 0.0F);
      limit[face.face] = is_upper ? std::min(limit[face.face], at) : std::max(limit[face.face], at);
    }
    buffer.fill(std::span<const PackedFace>(sorted));
  }
  [[nodiscard]] std::size_t count() const { return first[6]; }
};

struct LineVertex {
  glm::vec3 place;
  std::uint32_t rgba;
};

}  // namespace

struct VoxelGridPicture::Impl {
  GlProgram faces, lines;
  GlVertexArray face_array = make_vertex_array(), line_array = make_vertex_array();
  FaceBuffer opaque, translucent;
  StreamBuffer indices, line_vertices;
  std::size_t indexed = 0, line_count = 0;

  /// Enlarges the index buffer to at least this number of faces. A face has four vertices and two triangles.
  void reserve(std::size_t face_count) {
    if (face_count <= indexed) return;
    indexed = face_count + face_count / 2;
    std::vector<std::uint32_t> all;
    all.reserve(6 * indexed);
    for (std::size_t i = 0; i < indexed; ++i)
      for (const std::uint32_t corner : {0U, 1U, 2U, 0U, 2U, 3U})
        all.push_back(static_cast<std::uint32_t>(4 * i) + corner);
    indices.fill(std::span<const std::uint32_t>(all));
    glVertexArrayElementBuffer(face_array.id(), indices.id());
  }

  void draw_faces(const FaceBuffer& list, const Camera& camera, const glm::mat4& clip, float opacity) {
    if (list.count() == 0) return;
    reserve(list.count());
    glUseProgram(faces.id());
    glUniformMatrix4fv(0, 1, GL_FALSE, glm::value_ptr(clip));
    glUniform1f(1, opacity);
    glBindVertexArray(face_array.id());
    list.buffer.bind_storage(0);
    for (std::size_t d = 0; d < 6; ++d) {
      const std::size_t count = list.first[d + 1] - list.first[d];
      const float eye = camera.eye[static_cast<glm::length_t>(d / 2)];
      if (count == 0 || (d % 2 == 1 ? eye <= list.limit[d] : eye >= list.limit[d])) continue;
      glDrawElements(GL_TRIANGLES, static_cast<GLsizei>(6 * count), GL_UNSIGNED_INT,
                     reinterpret_cast<const void*>(6 * sizeof(std::uint32_t) * list.first[d]));  // NOLINT: an offset
    }
  }
};

VoxelGridPicture::VoxelGridPicture(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
VoxelGridPicture::~VoxelGridPicture() = default;

std::uint32_t packed_rgba(const glm::vec3& srgb, float opacity) {
  const auto byte = [](float value) {
    return static_cast<std::uint32_t>(std::lround(std::clamp(value, 0.0F, 1.0F) * 255));
  };
  return byte(srgb.x) | byte(srgb.y) << 8U | byte(srgb.z) << 16U | byte(opacity) << 24U;
}

Result<std::unique_ptr<VoxelGridPicture>> VoxelGridPicture::create() {
  auto impl = std::make_unique<Impl>();
  auto faces = build_program("cell_face", "cell_face");
  if (!faces) return Unexpected(faces.error());
  auto lines = build_program("cell_line", "cell_line");
  if (!lines) return Unexpected(lines.error());
  impl->faces = std::move(*faces);
  impl->lines = std::move(*lines);
  return std::unique_ptr<VoxelGridPicture>(new VoxelGridPicture(std::move(impl)));
}

void VoxelGridPicture::set_faces(std::span<const GridFace> faces) { impl_->opaque.fill(faces); }
void VoxelGridPicture::set_translucent_faces(std::span<const GridFace> faces) { impl_->translucent.fill(faces); }

void VoxelGridPicture::set_lines(std::span<const GridLine> lines) {
  std::vector<LineVertex> vertices;
  vertices.reserve(2 * lines.size());
  for (const GridLine& line : lines) {
    vertices.push_back({line.a, line.rgba});
    vertices.push_back({line.b, line.rgba});
  }
  impl_->line_vertices.fill(std::span<const LineVertex>(vertices));
  impl_->line_count = lines.size();
}

void VoxelGridPicture::draw(const Camera& given, int width, int height, unsigned target) {
  glBindFramebuffer(GL_FRAMEBUFFER, target);
  glViewport(0, 0, width, height);
  glDisable(GL_SCISSOR_TEST);
  glClearColor(0.13F, 0.15F, 0.18F, 1);
  glClearDepth(1);
  glDepthMask(GL_TRUE);
  glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_LEQUAL);
  glEnable(GL_CULL_FACE);
  glCullFace(GL_BACK);
  glFrontFace(GL_CCW);
  glDisable(GL_BLEND);
  const Camera camera = given.drawn();
  const glm::mat4 clip = camera.projection(static_cast<float>(width) / static_cast<float>(height)) * camera.view();
  impl_->draw_faces(impl_->opaque, camera, clip, 1);
  glEnable(GL_BLEND);
  glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  if (impl_->line_count > 0) {
    glUseProgram(impl_->lines.id());
    glUniformMatrix4fv(0, 1, GL_FALSE, glm::value_ptr(clip));
    glBindVertexArray(impl_->line_array.id());
    impl_->line_vertices.bind_storage(0);
    glDrawArrays(GL_LINES, 0, static_cast<GLsizei>(2 * impl_->line_count));
  }
  glDepthMask(GL_FALSE);
  impl_->draw_faces(impl_->translucent, camera, clip, 0);
  glDepthMask(GL_TRUE);
  glDisable(GL_BLEND);
  glDisable(GL_CULL_FACE);
  glDisable(GL_DEPTH_TEST);
  glBindVertexArray(0);
  glUseProgram(0);
}

}  // namespace vw

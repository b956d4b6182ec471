// Move-only owners of OpenGL objects. The destructor deletes the object and requires the object's context to be
// current.
#pragma once

#include <glad/gl.h>

#include <algorithm>
#include <span>
#include <utility>

namespace vw {

template <void (*Free)(GLuint)>
class GlName {
 public:
  GlName() = default;
  explicit GlName(GLuint id) : id_(id) {}
  GlName(GlName&& other) noexcept : id_(std::exchange(other.id_, 0)) {}
  GlName& operator=(GlName&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  GlName(const GlName&) = delete;
  GlName& operator=(const GlName&) = delete;
  ~GlName() {
    if (id_ != 0) Free(id_);
  }
  [[nodiscard]] GLuint id() const { return id_; }
  explicit operator bool() const { return id_ != 0; }

 private:
  GLuint id_ = 0;
};

inline void free_buffer(GLuint id) { glDeleteBuffers(1, &id); }
inline void free_texture(GLuint id) { glDeleteTextures(1, &id); }
inline void free_framebuffer(GLuint id) { glDeleteFramebuffers(1, &id); }
inline void free_vertex_array(GLuint id) { glDeleteVertexArrays(1, &id); }
inline void free_program(GLuint id) { glDeleteProgram(id); }

using GlTexture = GlName<free_texture>;
using GlFramebuffer = GlName<free_framebuffer>;
using GlVertexArray = GlName<free_vertex_array>;
using GlProgram = GlName<free_program>;

inline GlTexture make_texture(GLenum target) {
  GLuint id = 0;
  glCreateTextures(target, 1, &id);
  return GlTexture(id);
}
/// Creates a texture with one mipmap level, clamped to the edge.
inline GlTexture make_map(GLenum format, int width, int height, GLint filter) {
  GlTexture texture = make_texture(GL_TEXTURE_2D);
  glTextureStorage2D(texture.id(), 1, format, width, height);
  glTextureParameteri(texture.id(), GL_TEXTURE_MIN_FILTER, filter);
  glTextureParameteri(texture.id(), GL_TEXTURE_MAG_FILTER, filter);
  glTextureParameteri(texture.id(), GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTextureParameteri(texture.id(), GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  return texture;
}
inline GlFramebuffer make_framebuffer() {
  GLuint id = 0;
  glCreateFramebuffers(1, &id);
  return GlFramebuffer(id);
}
inline GlVertexArray make_vertex_array() {
  GLuint id = 0;
  glCreateVertexArrays(1, &id);
  return GlVertexArray(id);
}

/// Buffer that is refilled each frame. The old storage is orphaned, so that the driver does not wait for the GPU. If
/// the data exceed the capacity, the new capacity is 1.5 times the size of the data.
class StreamBuffer {
 public:
  template <class T>
  void fill(std::span<const T> data) {
    if (!name_) {
      GLuint id = 0;
      glCreateBuffers(1, &id);
      name_ = GlName<free_buffer>(id);
    }
    const auto bytes = static_cast<GLsizeiptr>(data.size_bytes());
    if (bytes > capacity_) capacity_ = std::max<GLsizeiptr>(bytes + bytes / 2, 256);
    glNamedBufferData(name_.id(), std::max<GLsizeiptr>(capacity_, 256), nullptr, GL_STREAM_DRAW);
    if (bytes > 0) glNamedBufferSubData(name_.id(), 0, bytes, data.data());
  }
  [[nodiscard]] GLuint id() const { return name_.id(); }
  void bind_storage(GLuint binding) const { glBindBufferBase(GL_SHADER_STORAGE_BUFFER, binding, id()); }

 private:
  GlName<free_buffer> name_;
  GLsizeiptr capacity_ = 0;
};

}  // namespace vw

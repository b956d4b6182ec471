// Finds, assembles and compiles shader text. Error messages contain the log of the driver and the name of the shader.
#include "render/gl/shader.h"

#include <array>
#include <cstdlib>
#include <filesystem>

#include "sim/base/files/file.h"
#include "sim/base/files/source_tree.h"

namespace vw {
namespace {

constexpr std::uint64_t longest_shader = 1U << 20U;

std::string log_of(GLuint id, bool program) {
  std::array<char, 2048> text{};
  if (program)
    glGetProgramInfoLog(id, static_cast<GLsizei>(text.size()), nullptr, text.data());
  else
    glGetShaderInfoLog(id, static_cast<GLsizei>(text.size()), nullptr, text.data());
  return text.data();
}

Result<GLuint> compile(GLenum stage, std::string_view name, std::string_view defines) {
  const std::string stage_defines = std::string(defines) + (stage == GL_FRAGMENT_SHADER ? "#define FRAGMENT\n" : "");
  const auto text = whole_shader(name, stage_defines);
  if (!text) return tl::unexpected(text.error());
  const GLuint id = glCreateShader(stage);
  const char* source = text->c_str();
  glShaderSource(id, 1, &source, nullptr);
  glCompileShader(id);
  GLint good = 0;
  glGetShaderiv(id, GL_COMPILE_STATUS, &good);
  if (good == GL_TRUE) return id;
  const std::string log = log_of(id, false);
  glDeleteShader(id);
  return fail("shader " + std::string(name) + " does not compile: " + log);
}

}  // namespace

Result<std::string> shader_text(std::string_view name) {
  const char* asked = std::getenv("VOXWAKE_SHADERS");
  const std::string tree = source_tree();
  for (const std::string& folder :
       {std::string(asked == nullptr ? "" : asked), tree.empty() ? tree : tree + "/shaders"}) {
    const std::string path = folder + "/" + std::string(name);
    if (std::error_code none; !folder.empty() && std::filesystem::is_regular_file(path, none))
      return read_file(path, longest_shader);
  }
  if (const auto text = embedded_shader(name); !text.empty()) return std::string(text);
  return fail("shader " + std::string(name) + " was not found");
}

Result<std::string> whole_shader(std::string_view name, std::string_view defines) {
  std::string text = "#version 450 core\n" + std::string(defines);
  for (const std::string_view part : {std::string_view("frame.glsl"), std::string_view("light.glsl"), name}) {
    const auto body = shader_text(part);
    if (!body) return tl::unexpected(body.error());
    text += "#line 1\n" + *body;
  }
  return text;
}

Result<GlProgram> build_program(std::string_view vertex, std::string_view fragment, std::string_view defines) {
  const auto vert = compile(GL_VERTEX_SHADER, std::string(vertex) + ".vert", defines);
  if (!vert) return tl::unexpected(vert.error());
  const auto frag = compile(GL_FRAGMENT_SHADER, std::string(fragment) + ".frag", defines);
  if (!frag) {
    glDeleteShader(*vert);
    return tl::unexpected(frag.error());
  }
  GlProgram program(glCreateProgram());
  for (const GLuint shader : {*vert, *frag}) {
    glAttachShader(program.id(), shader);
    glDeleteShader(shader);
  }
  glLinkProgram(program.id());
  GLint good = 0;
  glGetProgramiv(program.id(), GL_LINK_STATUS, &good);
  if (good != GL_TRUE)
    return fail("shaders " + std::string(vertex) + " and " + std::string(fragment) +
                " do not link: " + log_of(program.id(), true));
  return program;
}

}  // namespace vw

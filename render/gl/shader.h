// Shader programs. The text of a shader is taken from the first of these places that contains it: the folder
// $VOXWAKE_SHADERS, the source tree, the text embedded in the library.
#pragma once

#include <string>
#include <string_view>

#include "render/gl/gl_object.h"
#include "sim/base/error.h"

namespace vw {

/// Embedded text of a shader file; empty if there is no such file.
[[nodiscard]] std::string_view embedded_shader(std::string_view name);
/// Text of a shader file from the first place that contains it. Returns an error if no place does.
[[nodiscard]] Result<std::string> shader_text(std::string_view name);

/// Complete text of the shader file `name` (with extension): version line, `defines`, the text shared by all shaders,
/// and the file.
[[nodiscard]] Result<std::string> whole_shader(std::string_view name, std::string_view defines);

/// Compiles and links `vertex`.vert and `fragment`.frag, each preceded by the text shared by all shaders. `defines`
/// contains complete lines, such as "#define EXACT_DEPTH" followed by a newline. An error contains the log of the
/// driver.
[[nodiscard]] Result<GlProgram> build_program(std::string_view vertex, std::string_view fragment,
                                              std::string_view defines = {});

}  // namespace vw

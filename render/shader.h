// Shader programs: text from $VOXWAKE_SHADERS, from the source tree while it stands, else from the library itself.
#pragma once

#include <string>
#include <string_view>

#include "render/gl_object.h"
#include "sim/base/error.h"

namespace vw {

/// The text compiled in; empty when there is no shader of that name.
[[nodiscard]] std::string_view embedded_shader(std::string_view name);
[[nodiscard]] Result<std::string> shader_text(std::string_view name);

/// What the driver is given for the shader file `name` (with its ending): version, `defines`, the shared parts and the file.
[[nodiscard]] Result<std::string> whole_shader(std::string_view name, std::string_view defines);

/// Compiles `name`.vert and fragment.frag with the shared parts before them. `defines`: lines such as "#define EXACT_DEPTH\n".
[[nodiscard]] Result<GlProgram> build_program(std::string_view vertex, std::string_view fragment, std::string_view defines = {});

}  // namespace vw

# Usage: cmake -DSHADERS=<folder> -DOUTPUT=<file.cpp> -P embed_shaders.cmake
# Writes a C++ function that maps the name of each shader file in the folder to the text of the file.
file(GLOB files ${SHADERS}/*.vert ${SHADERS}/*.frag ${SHADERS}/*.glsl)
list(SORT files)
set(text "// Generated from shaders/ at build time.\n#include \"render/gl/shader.h\"\n\nnamespace vw {\n\nstd::string_view embedded_shader(std::string_view name) {\n")
foreach(file ${files})
  get_filename_component(name ${file} NAME)
  file(READ ${file} body)
  string(APPEND text "  if (name == \"${name}\") return R\"vwglsl(${body})vwglsl\";\n")
endforeach()
string(APPEND text "  return {};\n}\n\n}  // namespace vw\n")
file(WRITE ${OUTPUT} "${text}")

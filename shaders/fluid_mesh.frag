// Writes the depth along the view direction at which the fluid begins, and the amount of foam plus 2. The 2 marks the
// pixels that show the mesh (is_meshed in fluid_surface.frag).
layout(binding = 2) uniform sampler2D maps;  // g: amount of foam
in vec3 world;
in vec3 outward;
layout(location = 0) out vec2 map;
layout(location = 1) out vec4 normal;
void main() {
  map = vec2(dot(world - frame.eye.xyz, forward()), texelFetch(maps, ivec2(gl_FragCoord.xy), 0).g + 2.0);
  normal = vec4(outward, 0.0);
}

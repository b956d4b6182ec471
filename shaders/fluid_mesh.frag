// Writes the depth along the view direction at which the fluid begins, and the amount of foam plus 2, which marks the pixels
// that show the mesh (is_meshed in fluid_surface.frag).
layout(binding = 2) uniform sampler2D maps;  // r: smoothed depth of the balls, 0 if empty; g: amount of foam
layout(binding = 5) uniform sampler2D scene_depth;
layout(location = 0) uniform float spacing;  // of the particles [m]
in vec3 world;
in vec3 outward;
layout(location = 0) out vec2 map;
layout(location = 1) out vec4 normal;
void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  vec2 ball = texelFetch(maps, pixel, 0).rg;
  float depth = dot(world - frame.eye.xyz, forward()), behind = depth_along_view(texelFetch(scene_depth, pixel, 0).r) - depth;
  // Particles keep away from bodies, so that the mesh has a trench around a body. The larger balls close it.
  float at_body = 1.0 - smoothstep(1.0, 3.0, behind / spacing);
  if (ball.r > 0.0 && ball.r < depth) depth = mix(depth, ball.r, at_body);
  map = vec2(depth, ball.g + 2.0);
  normal = vec4(outward, 0.0);
}

// A transparent collider. It is almost clear where the line of sight is perpendicular to the surface, and more opaque
// at oblique angles. The edges of a box are drawn as lines.
layout(location = 5) uniform vec3 albedo;
layout(location = 7) uniform vec2 glass;  // x: opacity; y: 1 for a box, else 0
in vec3 world;
in vec3 world_normal;
in vec3 local;
out vec4 color;
void main() {
  vec3 n = normalize(world_normal), to_eye = normalize(frame.eye.xyz - world);
  if (dot(n, to_eye) < 0.0) n = -n;
  float askew = 1.0 - clamp(dot(n, to_eye), 0.0, 1.0);
  float alpha = glass.x + (1.0 - glass.x) * 0.35 * askew * askew * askew;
  vec3 from_edge = (1.0 - abs(local)) / max(fwidth(local), vec3(1e-9));
  // On a face of a box, one of the three distances is zero. The second smallest is the distance to the nearest edge.
  float low = min(from_edge.x, min(from_edge.y, from_edge.z)), high = max(from_edge.x, max(from_edge.y, from_edge.z));
  float next = from_edge.x + from_edge.y + from_edge.z - low - high;
  float line = glass.y * clamp(1.6 - next, 0.0, 1.0);
  // The shadow is not looked up, because it is hardly visible on glass. With the lookup, LLVM 15 emits an invalid
  // instruction when llvmpipe draws the window.
  color = vec4(display(lit_with(albedo, n, world, 0.9, 0.6, 1.0)), mix(alpha, max(alpha, 0.7), line));
}

// What is blended: flat discs that keep parallel to the picture, or balls on a quad across the cone of sight, as in sphere.vert.
struct Splat { vec4 place; uint color; float opacity; float marked; uint id; };  // color: upper byte the share of the sun (simple tiers)
layout(std430, binding = 0) readonly buffer Splats { Splat splats[]; };
layout(location = 0) uniform int discs;
layout(location = 1) uniform int simple;
out vec2 across;         // discs: pixels from the centre; balls: radii
flat out vec3 center;
flat out float radius;   // balls [m]
flat out float rim;      // radius in pixels
flat out vec4 tint;      // linear, w: opacity
flat out vec3 axis_right;
flat out vec3 axis_up;
flat out vec3 axis_back;
flat out float visible;
flat out float marked;
void main() {
  Splat s = splats[gl_VertexID >> 2];
  int c = gl_VertexID & 3;
  vec2 corner = vec2((c & 1) == 0 ? -1.0 : 1.0, c < 2 ? -1.0 : 1.0);
  tint = vec4(unpack_color(s.color), s.opacity);
  marked = s.marked;
  center = s.place.xyz;
  vec3 back = frame.eye.xyz - center;
  float d = max(length(back), 1e-6);
  visible = simple != 0 ? float(s.color >> 24) / 255.0 : sun_visible(center + s.place.w * 1.05 * frame.sun.xyz);
  vec3 at;
  if (discs != 0) {
    axis_back = cross(frame.right.xyz, frame.up.xyz);
    float pixel = frame.eye.w * dot(back, axis_back);
    rim = s.place.w / max(pixel, 1e-20);
    // Smaller than this no pixel's middle may lie within: it keeps its light instead.
    if (rim < 0.75) {
      tint.w *= rim * rim / (0.75 * 0.75);
      rim = 0.75;
    }
    across = corner * (rim + 1.0);
    axis_right = frame.right.xyz;
    axis_up = frame.up.xyz;
    at = center + pixel * (across.x * axis_right + across.y * axis_up);
    radius = s.place.w;
  } else {
    radius = max(min(s.place.w, d * 0.95), 0.6 * frame.eye.w * d);
    rim = radius / (frame.eye.w * d);
    axis_back = back / d;
    axis_right = normalize(cross(frame.up.xyz, axis_back));
    axis_up = cross(axis_back, axis_right);
    float wide = radius * d * inversesqrt(max(d * d - radius * radius, 1e-12));
    across = corner * (1.0 + 1.0 / rim);
    at = center + wide * (across.x * axis_right + across.y * axis_up);
  }
  gl_Position = frame.clip_from_world * vec4(at, 1.0);
}

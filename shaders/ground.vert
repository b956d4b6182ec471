// The ground of the simple quality tiers with per-vertex lighting. It consists of concentric rings about the point
// below the camera, which are narrow where the colour fades into the horizon. With MAPPED, the shader draws the square
// that the ground map covers instead.
layout(location = 0) uniform vec3 origin;
layout(location = 1) uniform vec3 axis_u;
layout(location = 2) uniform vec3 axis_v;
layout(location = 3) uniform float extent;
layout(location = 4) uniform vec3 albedo;
layout(location = 5) uniform vec4 grid;  // see plane.frag
layout(location = 6) uniform vec4 fade;
out vec4 tint;  // w: strength of the grid lines
out vec2 at;  // position in spacings of the fine lines
out vec2 uv;
void main() {
  const int corner_of[6] = int[6](0, 1, 2, 2, 1, 3);
  int cell = gl_VertexID / 6, corner = corner_of[gl_VertexID % 6];
#ifdef MAPPED
  const int cells = 8;
  uv = vec2(cell % cells + (corner & 1), cell / cells + (corner >> 1)) / float(cells);
  vec2 from_foot = frame.contact_box.xy + uv / frame.contact_box.zw - origin.xz;
  vec2 on_plane = vec2(dot(from_foot, axis_u.xz), dot(from_foot, axis_v.xz));
#else
  const int segments = 32, rings = 12;  // same numbers as in passes.cpp
  int ring = cell / segments + (corner >> 1);
  float angle = 6.2831853 * float(cell % segments + (corner & 1)) / float(segments);
  float radius = ring == 0 ? 0.0 : ring == rings ? extent : fade.z * 0.04 * pow(30.0, float(ring - 1) / float(rings - 2));
  vec2 on_plane = radius * vec2(cos(angle), sin(angle));
  uv = vec2(0.0);
#endif
  float reach = length(on_plane - fade.xy) / fade.z, far = 1.0 - exp(-3.0 * reach * reach);  // haze() in environment.h
  vec3 c = mix(albedo * (sun_light * 0.447 + sky_light * 0.62), frame.horizon.rgb, far);
  if (frame.sky_color.w == 1.0)  // the floor is a sweep
    c = background(origin + on_plane.x * axis_u + on_plane.y * axis_v - frame.eye.xyz);
  tint = vec4(frame.plain.w > 0.5 ? frame.plain.rgb : display(c), frame.options.y * (1.0 - far));
  at = on_plane * grid.z + grid.xy;
  gl_Position = frame.clip_from_world * vec4(origin + on_plane.x * axis_u + on_plane.y * axis_v, 1.0);
}

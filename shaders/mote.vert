// Members of a few pixels, drawn as lozenges of the same apparent size (with the same geometry as in
// render/scene/members.cpp).
struct Member { vec4 place; vec4 turn; uint color; float beat; };
layout(std430, binding = 0) readonly buffer Members { Member members[]; };
layout(std430, binding = 1) readonly buffer Rows { uint rows[]; };
layout(location = 0) uniform int first_row;
layout(location = 1) uniform vec3 axes;
layout(location = 2) uniform float pale;
layout(location = 3) uniform float least_px;
layout(location = 4) uniform mat4 light_clip;
#ifndef DEPTH
out vec3 from_eye;  // constant; its radius is 0, so that the fragment shader draws no eye of the animal
#endif
#ifdef SIMPLE
out vec3 tint;
#elif !defined(DEPTH)
out vec3 world;
out vec3 world_normal;
out vec3 albedo;
#endif

vec3 turned(vec4 q, vec3 v) {
  vec3 t = 2.0 * cross(q.xyz, v);
  return v + q.w * t + cross(q.xyz, t);
}

out float gl_ClipDistance[6];
void main() {
  Member m = members[rows[first_row + (gl_VertexID >> 2)]];
  int c = gl_VertexID & 3;
#ifdef DEPTH
  vec3 back = frame.sun.xyz;
  float least = 0.0;
#else
  vec3 back = frame.eye.xyz - m.place.xyz;
  float far = max(length(back), 1e-6), least = least_px * frame.eye.w * far;
  back /= far;
#endif
  vec3 nose = turned(m.turn, vec3(1.0, 0.0, 0.0)), top = turned(m.turn, vec3(0.0, 1.0, 0.0)), right = cross(nose, top);
  vec3 along = nose - dot(nose, back) * back;
  if (dot(along, along) < 1e-4) along = top - dot(top, back) * back;
  along = normalize(along);
  vec3 across = cross(back, along), way = c == 0 ? along : c == 3 ? -along : c == 1 ? across : -across;
  vec3 p = m.place.xyz + max(m.place.w * length(axes * vec3(dot(nose, way), dot(top, way), dot(right, way))), least) * way;
  CLIP_NOTHING;  // cuts do not clip members: each is drawn completely or not at all
#ifdef DEPTH
  gl_Position = light_clip * vec4(p, 1.0);
#else
  from_eye = vec3(1.0, 1.0, 0.0);
  vec3 facing = nose * (dot(nose, back) / (axes.x * axes.x)) + top * (dot(top, back) / (axes.y * axes.y)) + right * (dot(right, back) / (axes.z * axes.z));
  vec3 n = normalize(normalize(facing) + 0.6 * way);
  float height = 0.12 * dot(top, back) - 0.02;
  vec3 color = mix(unpack_color(m.color), vec3(0.82, 0.85, 0.86), pale * (1.0 - smoothstep(-0.14, 0.10, height)));
#ifdef SIMPLE
  tint = display(lit_with(color, n, p, 0.82 + 0.18 * n.y, 0.35, float(m.color >> 24) / 255.0));
#else
  world = p;
  world_normal = n;
  albedo = color;
#endif
  gl_Position = frame.clip_from_world * vec4(p, 1.0);
#endif
}

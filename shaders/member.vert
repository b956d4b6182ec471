// Members of flocks. The mesh of the species is deformed by swimming or flapping (with the same formula as in
// render/scene/members.cpp), then rotated and moved to its position.
// place.w: half length; highest byte of color: fraction of sunlight
struct Member { vec4 place; vec4 turn; uint color; float beat; };
layout(std430, binding = 0) readonly buffer Members { Member members[]; };
layout(std430, binding = 1) readonly buffer Rows { uint rows[]; };
layout(location = 0) uniform int first_row;
layout(location = 1) uniform int motion;  // 1 if the members swim, 2 if they fly
layout(location = 2) uniform float pale;
layout(location = 3) uniform vec3 eye;  // xy: centre of the animal's eye; z: radius of the eye
layout(location = 4) uniform mat4 light_clip;
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
#ifndef DEPTH
out vec3 from_eye;  // xy: position relative to the centre of the animal's eye; z: radius of the eye
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

void swim(float beat, inout vec3 p, inout vec3 n) {
  const float wave = 2.6, head = 0.012, tail = 0.17;
  float back = max(0.9 - p.x, 0.0) / 1.9, size = head + tail * back * back, phase = wave * p.x + beat;
  float slope = (p.x < 0.9 ? -2.0 * tail * back / 1.9 : 0.0) * sin(phase) + size * wave * cos(phase);
  p.z += size * sin(phase);
  n = normalize(n - vec3(slope * n.z, 0.0, 0.0));
}

void flap(float beat, inout vec3 p, inout vec3 n) {
  const float shoulder = 0.08, stroke = 0.55, raised = 0.12, lag = 0.75, heave = 0.05;
  float out_by = max(abs(p.z) - shoulder, 0.0), side = p.z < 0.0 ? -1.0 : 1.0;
  float angle = out_by > 0.0 ? raised + stroke * (1.0 + 0.25 * out_by) * sin(beat - lag * out_by) : 0.0;
  float c = cos(angle), s = sin(angle);
  p = vec3(p.x, p.y * c + out_by * s - heave * sin(beat), p.z - side * out_by + side * (out_by * c - p.y * s));
  n = vec3(n.x, n.y * c + side * n.z * s, n.z * c - side * n.y * s);
}

out float gl_ClipDistance[6];
void main() {
  Member m = members[rows[first_row + gl_InstanceID]];
  vec3 p = position, n = normal;
  if (motion == 1) swim(m.beat, p, n);
  if (motion == 2) flap(m.beat, p, n);
  p = m.place.xyz + m.place.w * turned(m.turn, p);
  CLIP_NOTHING;  // cuts do not clip members: each is drawn completely or not at all
#ifdef DEPTH
  gl_Position = light_clip * vec4(p, 1.0);
#else
  from_eye = vec3(position.xy - eye.xy, eye.z);
  n = turned(m.turn, n);
  vec3 color = mix(unpack_color(m.color), vec3(0.82, 0.85, 0.86), pale * (1.0 - smoothstep(-0.14, 0.10, position.y)));
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

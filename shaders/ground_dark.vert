// The darkened part of the ground map, drawn over the finished ground.
layout(location = 0) uniform vec4 part;  // low and high corner of the part on the map, in [0, 1]
layout(location = 1) uniform float level;  // height of the ground [m]
out vec2 uv;
void main() {
  uv = mix(part.xy, part.zw, vec2(gl_VertexID & 1, gl_VertexID >> 1));
  vec2 at = frame.contact_box.xy + uv / frame.contact_box.zw;
  gl_Position = frame.clip_from_world * vec4(at.x, level, at.y, 1.0);
}

// One piece of a slice plane (render/air/air_sheets.h).
struct Corner { vec4 place; vec4 at; };  // at: coordinates of the corner on the sheet, in [0, 1]^2
layout(std430, binding = 0) readonly buffer Corners { Corner corners[]; };
out vec2 at;
void main() {
  Corner c = corners[gl_VertexID];
  at = c.at.xy;
  gl_Position = frame.clip_from_world * vec4(c.place.xyz, 1.0);
}

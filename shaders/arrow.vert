// Flat arrows that face the camera. Each arrow has seven vertices, four for the shaft and three for the head. The width
// is a few pixels, so that neither long nor near arrows hide the scene. Except for long arrows, the shaft is a single
// triangle that tapers towards the tip, because triangles and per-vertex work are expensive with software rendering.
// tail.w: colour bits; shift.xyz: vector to the tip; shift.w: opacity behind other objects (render/vectors/arrows.h)
struct Arrow { vec4 tail; vec4 shift; };
layout(std430, binding = 0) readonly buffer Arrows { Arrow arrows[]; };
flat out uvec3 ink;  // x, y: colours of the two halves; z: bits of shift.w
out float across;
void main() {
  int i = gl_VertexID / 7, c = gl_VertexID % 7;
  vec3 tail = arrows[i].tail.xyz, shift = arrows[i].shift.xyz;
  float through = arrows[i].shift.w, size = length(shift);
  vec3 along = size > 0.0 ? shift / size : vec3(0.0, 1.0, 0.0);
  vec3 to_eye = frame.eye.xyz - tail;
  float pixel = frame.eye.w * length(to_eye);
  vec3 side = cross(along, to_eye);
  float s = length(side);
  side = s > 1e-12 ? side / s : frame.right.xyz;
  bool bold = through > 0.0 || through <= -1.0;
  bool slender = size < 64.0 * pixel;
  float thick = (slender ? clamp(size * 0.06, 0.8 * pixel, 1.6 * pixel) : 1.1 * pixel) * (bold ? 1.7 : 1.0);
  float head = min(size * 0.6, clamp(size * 0.28, 7.0 * pixel, 12.0 * pixel)), wide = head * (bold ? 0.45 : 0.36) + 0.4 * pixel;
  bool of_head = c > 3, end = c == 6 || (slender && (c == 2 || c == 3));
  across = end ? 0.0 : (of_head ? c == 4 : (c & 1) == 0) ? -1.0 : 1.0;
  float forth = end ? size : c > 1 ? size - head : 0.0;
  vec3 tint = unpack_color(floatBitsToUint(arrows[i].tail.w));
  ink = uvec3(packUnorm4x8(vec4(display(tint * 0.72), 0.0)), packUnorm4x8(vec4(display(tint * 1.3), 0.0)), floatBitsToUint(through));
  gl_Position = frame.clip_from_world * vec4(tail + along * forth + side * (across * (of_head ? wide : thick)), 1.0);
}

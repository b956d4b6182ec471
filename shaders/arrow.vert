// Flat arrows turned to the camera: seven vertices each (shaft 4, head 3). Widths follow the length between limits in pixels.
struct Arrow { vec4 tail; vec4 shift; };  // tail.w: colour bits; shift: to the tip
layout(std430, binding = 0) readonly buffer Arrows { Arrow arrows[]; };
out vec3 tint;
out float across;
void main() {
  int i = gl_VertexID / 7, c = gl_VertexID % 7;
  vec3 tail = arrows[i].tail.xyz, shift = arrows[i].shift.xyz;
  float size = length(shift);
  vec3 along = size > 0.0 ? shift / size : vec3(0.0, 1.0, 0.0);
  vec3 to_eye = frame.eye.xyz - tail;
  float pixel = frame.eye.w * length(to_eye);
  vec3 side = cross(along, to_eye);
  float s = length(side);
  side = s > 1e-12 ? side / s : frame.right.xyz;
  float thick = clamp(size * 0.05, 0.7 * pixel, 1.6 * pixel);
  float head = min(size * 0.55, max(size * 0.30, 8.0 * pixel));
  float wide = max(head * 0.42, 1.6 * pixel);
  float where_along[7] = float[7](0.0, 0.0, size - head, size - head, size - head, size - head, size);
  float where_across[7] = float[7](-thick, thick, -thick, thick, -wide, wide, 0.0);
  float shade[7] = float[7](-1.0, 1.0, -1.0, 1.0, -1.0, 1.0, 0.0);
  across = shade[c];
  tint = unpack_color(floatBitsToUint(arrows[i].tail.w));
  gl_Position = frame.clip_from_world * vec4(tail + along * where_along[c] + side * where_across[c], 1.0);
}

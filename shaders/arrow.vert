// Flat arrows turned to the camera: seven vertices each (shaft 4, head 3). Shaft and head keep to a few pixels, so that neither
// a long arrow nor a near one hides what is behind it.
struct Arrow { vec4 tail; vec4 shift; };  // tail.w: colour bits; shift: to the tip, w: least opacity
layout(std430, binding = 0) readonly buffer Arrows { Arrow arrows[]; };
flat out vec3 light;
flat out vec3 dark;
out float across;
flat out float through;
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
  bool bold = arrows[i].shift.w > 0.0 || arrows[i].shift.w <= -1.0;
  float thick = clamp(size * 0.04, 0.6 * pixel, 1.1 * pixel) * (bold ? 1.7 : 1.0);
  float head = min(size * 0.6, clamp(size * 0.28, 7.0 * pixel, 12.0 * pixel)), wide = head * (bold ? 0.45 : 0.36) + 0.4 * pixel;
  float where_along[7] = float[7](0.0, 0.0, size - head, size - head, size - head, size - head, size);
  float where_across[7] = float[7](-thick, thick, -thick, thick, -wide, wide, 0.0);
  float shade[7] = float[7](-1.0, 1.0, -1.0, 1.0, -1.0, 1.0, 0.0);
  across = shade[c];
  through = arrows[i].shift.w;
  vec3 tint = unpack_color(floatBitsToUint(arrows[i].tail.w));
  light = display(tint * 1.3);
  dark = display(tint * 0.72);
  gl_Position = frame.clip_from_world * vec4(tail + along * where_along[c] + side * where_across[c], 1.0);
}

// One segment of a line, drawn as a band that faces the eye (render/air/air_lines.h).
// from.w, to.w: half width [px]; side_*.xyz: unit vector across the band; side_*.w: colour bits
struct Band { vec4 from, to; vec4 side_from, side_to; };
layout(std430, binding = 0) readonly buffer Bands { Band bands[]; };
out float across;  // distance from the centre line [px]
out float half_px;
out vec4 tint;  // linear RGB; w: opacity
void main() {
  Band b = bands[gl_VertexID >> 2];
  int c = gl_VertexID & 3;
  bool first = (c & 1) == 0;
  vec4 p = first ? b.from : b.to, side = first ? b.side_from : b.side_to;
  uint bits = floatBitsToUint(side.w);
  tint = vec4(unpack_color(bits), float(bits >> 24) / 255.0);
  half_px = p.w;
  across = (c < 2 ? -1.0 : 1.0) * (p.w + 1.0);
  float depth = dot(p.xyz - frame.eye.xyz, forward());
  gl_Position = frame.clip_from_world * vec4(p.xyz + side.xyz * across * frame.eye.w * max(depth, 0.0), 1.0);
}

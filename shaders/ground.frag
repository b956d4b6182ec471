// The ground of the simple quality tiers: interpolated vertex colour, darkened by grid lines and by the ground map.
layout(location = 5) uniform vec4 grid;
layout(binding = 1) uniform sampler2D contact_map;  // r: contact shadow; g: shadow from sunlight
in vec4 tint;
in vec2 at;
in vec2 uv;
out vec4 color;

vec2 cover(vec2 where_at, vec2 per_px, float px) {
  vec2 near = abs(fract(where_at - 0.5) - 0.5);
  return clamp(px * 0.5 + 0.5 - near * per_px, 0.0, 1.0) * min(0.35 * per_px, 1.0);
}

void main() {
  vec2 per_px = 1.0 / max(fwidth(at), vec2(1e-9));
  vec2 fine = cover(at, per_px, 1.0), coarse = cover(at * 0.1, per_px * 10.0, 1.3);
  // The weights are about half the weights in plane.frag, because the lines are applied after display(), which
  // resembles a square root.
  float line = max(max(fine.x, fine.y) * 0.09 * grid.w, max(coarse.x, coarse.y) * 0.16) * tint.w;
  vec3 c = tint.rgb * (1.0 - line);
#ifdef MAPPED
  c *= darkened(texture(contact_map, uv).rg);
#endif
  color = vec4(c, 1.0);
}

// Bilateral filter of the ambient occlusion: the weighted mean over the surrounding pixels that show the same surface.
// It removes the noise of the slices, whose pattern repeats within the width of the filter.
layout(binding = 2) uniform sampler2D occlusion;  // output of occlusion.frag
out vec2 free_and_depth;
void main() {
  ivec2 at = ivec2(gl_FragCoord.xy), last = textureSize(occlusion, 0) - 1;
  vec2 here = texelFetch(occlusion, at, 0).rg;
  // Slope of the depth at the pixel, from the neighbour with the smaller difference. With the slope, all pixels of an
  // inclined surface count as the same surface.
  vec2 slope;
  for (int k = 0; k < 2; ++k) {
    ivec2 way = ivec2(1 - k, k);
    float after = texelFetch(occlusion, min(at + way, last), 0).g - here.y, before = here.y - texelFetch(occlusion, max(at - way, ivec2(0)), 0).g;
    slope[k] = abs(after) < abs(before) ? after : before;
  }
  float sum = 0.0, weights = 0.0;
  for (int y = -3; y <= 3; ++y)
    for (int x = -3; x <= 3; ++x) {
      vec2 there = texelFetch(occlusion, clamp(at + ivec2(x, y), ivec2(0), last), 0).rg;
      float off = (there.y - here.y - dot(slope, vec2(x, y))) / max(0.004 * here.y + 0.5 * (abs(slope.x) + abs(slope.y)), 1e-9);
      float weight = there.y > 0.0 ? exp(-off * off) * (4.0 - abs(float(x))) * (4.0 - abs(float(y))) : 0.0;
      sum += weight * there.x;
      weights += weight;
    }
  free_and_depth = vec2(weights > 0.0 ? sum / weights : 1.0, here.y);
}

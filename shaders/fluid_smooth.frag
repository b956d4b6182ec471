// Smooths the depths along one axis. The filter width is constant in world units. The narrow-range filter (N. Truong,
// C. Yuksel, "A narrow-range filter for screen-space fluid rendering", 2018) does not mix surfaces at different depths.
// Samples are used in symmetric pairs, so that the surface does not bend towards the eye at the outline of the fluid.
layout(binding = 2) uniform sampler2D maps;  // r: depth, 0 if empty; g: amount of foam
layout(location = 0) uniform ivec2 along;
// x: standard deviation of the filter [px] at a depth of 1 m; y: maximum radius of the filter [px]; z: limit of the
// depth behind the pixel, beyond which samples are rejected [m]; w: limit of the depth in front of the pixel, to which
// nearer samples are clamped [m]
layout(location = 1) uniform vec4 range;
out vec2 map;
// Entry of a pixel in `maps`. Pixels outside the picture are empty.
vec2 map_at(ivec2 pixel) {
  ivec2 inside = clamp(pixel, ivec2(0), textureSize(maps, 0) - 1);
  return inside == pixel ? texelFetch(maps, inside, 0).rg : vec2(0.0);
}
void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  vec2 here = texelFetch(maps, at, 0).rg;
  map = here;
  float z = here.x;
  if (z <= 0.0) return;
  float deviation = min(range.x / z, 0.5 * range.y);
#ifndef SIMPLE
  // A narrow gap between balls may show the far side of the fluid. The gap is filled with the mean of the samples on
  // both sides of it.
  for (int k = 1; k <= 2; ++k) {
    ivec2 gap = max(int(0.7 * float(k) * deviation), 1) * along;
    vec2 left = map_at(at - gap), right = map_at(at + gap);
    if (min(left.x, right.x) <= 0.0 || z - max(left.x, right.x) < 0.75 * range.w || abs(left.x - right.x) > range.w) continue;
    here = 0.5 * (left + right);
    z = here.x;
    break;
  }
#endif
  int reach = int(2.0 * deviation);
  // The weights w = exp(-k^2 / (2 deviation^2)) are computed recursively.
  float first = exp(-0.5 / max(deviation * deviation, 1e-6)), ratio = first, w = 1.0, square = first * first;
  float behind = range.z, before = range.w, weight = 1.0;
  vec2 sum = here;
  for (int k = 1; k <= reach; ++k) {
    w *= ratio;
    ratio *= square;
    vec2 a = map_at(at - k * along), b = map_at(at + k * along);
    float near = min(a.x, b.x), far = max(a.x, b.x);
    if (near <= 0.0 || far - z > behind) continue;
    sum += w * (max(a, vec2(z - before, 0.0)) + max(b, vec2(z - before, 0.0)));
    weight += 2.0 * w;
    // The accepted range grows with k, so that it follows a sloped surface. A sample in front of the range does not
    // extend it, because the sample belongs to another surface.
    behind = max(behind, far - z + range.z);
    if (z - near <= before) before = max(before, z - near + range.w);
  }
  map = sum / weight;
}

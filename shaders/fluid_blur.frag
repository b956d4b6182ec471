// Blurs thickness and occupancy along one axis by a Gaussian filter, so that the layers of the particles do not show as
// stripes and the outlines of single balls do not show at the rim. The occupancy is 1 where there is at least 0.8 spacings
// of fluid. Its blurred outline is as smooth at a thick body, where the thickness itself is large even at the rim, as at a
// thin one.
// Before the first pass, which is along x: r: thickness [m]; g: thickness with the mirror images of particles behind
// walls. After it: r: thickness [m]; g: occupancy; b: thickness with mirror images, without blur.
layout(binding = 2) uniform sampler2D thicknesses;
layout(location = 0) uniform ivec2 along;
layout(location = 1) uniform float deviation;  // [px]
layout(location = 2) uniform float spacing;  // of the particles [m]
out vec4 blurred;
vec2 at_pixel(ivec2 at) {
  vec2 t = texelFetch(thicknesses, clamp(at, ivec2(0), textureSize(thicknesses, 0) - 1), 0).rg;
  return along.x == 1 ? vec2(t.r, min(t.g / (0.8 * spacing), 1.0)) : t;
}
void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  int reach = int(2.5 * deviation);
  vec2 sum = at_pixel(at);
  float weight = 1.0;
  for (int k = 1; k <= reach; ++k) {
    float w = exp(-0.5 * float(k * k) / (deviation * deviation));
    sum += w * (at_pixel(at - k * along) + at_pixel(at + k * along));
    weight += 2.0 * w;
  }
  vec3 here = texelFetch(thicknesses, at, 0).rgb;
  blurred = vec4(sum / weight, along.x == 1 ? here.g : here.b, 0.0);
}

// Blurs thickness and occupancy along one axis by a Gaussian filter. Without the blur, the layers of the particles
// would show as stripes, and the outlines of single balls would show at the rim. The occupancy is 1 where there are at
// least 0.8 spacings of fluid. The outline of the blurred occupancy is equally smooth for thin bodies of fluid and for
// thick bodies, whose thickness is large even at the rim.
// The input of the first pass, which is along x, is r: thickness [m]; g: thickness with the mirror images of particles
// behind walls. Its output is r: thickness [m]; g: occupancy; b: thickness with mirror images, without blur.
layout(binding = 2) uniform sampler2D thicknesses;
layout(location = 0) uniform ivec2 along;
layout(location = 1) uniform float deviation;  // standard deviation of the filter [px]
layout(location = 2) uniform float spacing;  // spacing of the particles [m]
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

// Blurs the thickness along one axis by a Gaussian filter, so that the layers of the particles do not show as stripes
// and the outlines of single balls do not show at the rim.
layout(binding = 2) uniform sampler2D thicknesses;  // r: thickness to blur [m]; g: original thickness [m]
layout(location = 0) uniform ivec2 along;
layout(location = 1) uniform float deviation;  // [px]
out vec2 thickness;
void main() {
  ivec2 at = ivec2(gl_FragCoord.xy), last = textureSize(thicknesses, 0) - 1;
  vec2 here = texelFetch(thicknesses, at, 0).rg;
  int reach = int(2.5 * deviation);
  float sum = here.r, weight = 1.0;
  for (int k = 1; k <= reach; ++k) {
    float w = exp(-0.5 * float(k * k) / (deviation * deviation));
    sum += w * (texelFetch(thicknesses, clamp(at - k * along, ivec2(0), last), 0).r +
                texelFetch(thicknesses, clamp(at + k * along, ivec2(0), last), 0).r);
    weight += 2.0 * w;
  }
  thickness = vec2(sum / weight, along.x == 1 ? here.r : here.g);
}

// Factor by which ambient occlusion darkens the picture. It is interpolated between the four nearest values of
// occlusion.frag that belong to the same surface (bilateral upsampling).
layout(binding = 2) uniform sampler2D occlusion;  // output of occlusion_blur.frag
layout(binding = 3) uniform sampler2D depths;  // depth buffer of the picture
// Share of the light that the unoccluded fraction multiplies (occlusion_strength in render/gl/occlusion.h).
layout(location = 0) uniform float strength;
layout(location = 1) uniform int side;  // side of the square of pixels that has one value [px]
out vec4 color;
void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy), last = textureSize(occlusion, 0) - 1;
  float held = texelFetch(depths, pixel, 0).r;
  if (held >= 1.0) discard;
  float z = depth_along_view(held), sum = 0.0, weights = 0.0;
  vec2 at = vec2(pixel) / float(side);
  ivec2 base = ivec2(at);
  for (int k = 0; k < 4; ++k) {
    ivec2 corner = min(base + ivec2(k & 1, k >> 1), last);
    vec2 there = texelFetch(occlusion, corner, 0).rg, near = 1.0 - abs(at - vec2(corner));
    float off = (there.y - z) / (0.02 * z), weight = max(near.x * near.y, 0.01) * exp(-off * off) * step(1e-20, there.y) + 1e-12;
    sum += weight * there.x;
    weights += weight;
  }
  color = vec4(vec3(mix(1.0, sum / weights, strength)), 1.0);
}

// Colour of an arrow. Each half has its own colour. `opacity` is below 1 if hidden parts are drawn.
layout(location = 0) uniform float opacity;
flat in uvec3 ink;
in float across;
out vec4 color;
void main() {
  float through = uintBitsToFloat(ink.z);
  color = vec4(unpackUnorm4x8(across > 0.0 ? ink.y : ink.x).rgb, through < 0.0 && opacity < 1.0 ? 0.0 : max(opacity, through));
}

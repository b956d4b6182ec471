// Factor by which the ground map darkens the ground. The pass multiplies the picture by this factor.
layout(binding = 1) uniform sampler2D contact_map;  // r: contact shadow; g: shadow from sunlight
in vec2 uv;
out vec4 color;
void main() { color = vec4(darkened(texture(contact_map, uv).rg), 1.0); }

// By how much what stands on the ground darkens it, to be multiplied.
layout(binding = 1) uniform sampler2D contact_map;  // as in ground.frag
in vec2 uv;
out vec4 color;
void main() { color = vec4(darkened(texture(contact_map, uv).rg), 1.0); }

// The colour that the vertices carry, ready for the display.
in vec3 tint;
out vec4 color;
void main() { color = vec4(tint, 1.0); }

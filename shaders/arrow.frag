in vec3 tint;
in float across;
out vec4 color;
void main() { color = vec4(display(tint * (across > 0.0 ? 1.25 : 0.82)), 1.0); }

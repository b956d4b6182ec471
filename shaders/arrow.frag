layout(location = 0) uniform float opacity;
flat in vec3 light;
flat in vec3 dark;
in float across;
flat in float through;
out vec4 color;
void main() { color = vec4(across > 0.0 ? light : dark, through < 0.0 && opacity < 1.0 ? 0.0 : max(opacity, through)); }

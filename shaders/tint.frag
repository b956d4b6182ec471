// Interpolated vertex colour, which is already tone-mapped and encoded.
in vec3 tint;
out vec4 color;
#ifdef DITHERED
void main() { color = vec4(tint + dither(), 1.0); }
#else
void main() { color = vec4(tint, 1.0); }
#endif

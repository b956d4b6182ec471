in vec2 across;
void main() { if (dot(across, across) > 1.0) discard; }

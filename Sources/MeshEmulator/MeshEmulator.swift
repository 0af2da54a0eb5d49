// MeshEmulator

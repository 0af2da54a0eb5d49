// MeshSimulator

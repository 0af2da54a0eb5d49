// MeshTime

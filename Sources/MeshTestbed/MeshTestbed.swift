// MeshTestbed

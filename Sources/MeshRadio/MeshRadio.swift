// MeshRadio

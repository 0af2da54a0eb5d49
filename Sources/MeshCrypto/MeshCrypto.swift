// MeshCrypto

// MeshPacket

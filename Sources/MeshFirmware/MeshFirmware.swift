// MeshFirmware

// The error that the check of a fault plan throws; its users see it with this module.
@_exported public import struct MeshFiles.FileProblem

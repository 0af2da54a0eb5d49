// The error that readers of worlds and traces throw; their users see it with this module.
@_exported public import struct MeshFiles.FileProblem

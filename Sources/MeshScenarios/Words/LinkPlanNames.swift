// Scenarios name frames and faults of links, and import nothing but the testbed.
@_exported public import enum MeshCompanion.CommandCode
@_exported public import struct MeshCompanion.ErrorCode
@_exported public import enum MeshCompanion.FrameDirection
@_exported public import enum MeshCompanion.PushCode
@_exported public import enum MeshCompanion.ResponseCode
@_exported public import enum MeshTransports.LinkFaultKind
@_exported public import enum MeshTransports.LinkFrameKind
@_exported public import enum MeshTransports.LinkOccasion
@_exported public import enum MeshTransports.LinkPhase
@_exported public import struct MeshTransports.PlannedLinkFault

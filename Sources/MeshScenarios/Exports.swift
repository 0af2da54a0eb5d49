// Authors of scenarios state bodies of nodes, and import nothing but the testbed.
@_exported public import enum MeshFirmware.Battery
@_exported public import struct MeshFirmware.BatteryCell
@_exported public import struct MeshFirmware.BoardProfile
@_exported public import enum MeshFirmware.BridgeKind
@_exported public import enum MeshFirmware.ButtonPress
@_exported public import enum MeshFirmware.Course
@_exported public import struct MeshFirmware.GPSSettings
@_exported public import struct MeshFirmware.GPSSignal
@_exported public import enum MeshFirmware.Quantity
@_exported public import struct MeshFirmware.SensorParts
@_exported public import struct MeshFirmware.WayPoint
@_exported public import struct MeshPacket.LPPType
@_exported public import struct MeshSimulator.NodeBody
@_exported public import struct MeshTime.Instant
@_exported public import struct MeshTime.TimeSpan

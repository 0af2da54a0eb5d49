@_exported public import MeshStore

// Whoever uses the services uses rows of the store and its errors, and subscribes to events, with one import.
@_exported public import class MeshCore.Broadcaster
// A place, which the services take and give.
@_exported public import struct MeshWire.GeoPoint

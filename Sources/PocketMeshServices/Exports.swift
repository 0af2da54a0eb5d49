@_exported public import MeshStore

// Whoever uses the services uses rows of the store and its errors, and subscribes to events, with one import.
@_exported public import class MeshCore.Broadcaster

// Whoever uses the services uses rows of the store and its errors, with one import.
@_exported public import MeshStore

// Whoever shows the stack uses its services and rows, with one import.
@_exported public import PocketMeshServices

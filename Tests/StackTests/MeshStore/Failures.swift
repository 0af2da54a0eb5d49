import MeshStore

/// Returns the reason why an operation of the stack fails; `nil` when it does not, or another operation does.
func failure<R>(of operation: StackError.Operation, _ body: () async throws -> R) async -> StackError.Reason? {
    do {
        _ = try await body()
        return nil
    } catch {
        return (error as? StackError).flatMap { $0.operation == operation ? $0.reason : nil }
    }
}

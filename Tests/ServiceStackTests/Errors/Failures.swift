import PocketMeshServices

/// The error that something throws; `nil` when it throws none, or another.
func failure<E: Error, R>(as type: E.Type, _ body: () async throws -> R) async -> E? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? E
    }
}

/// Returns the reason why an operation of the stack fails; `nil` when it does not, or another operation does.
@discardableResult
func failure<R>(of operation: StackError.Operation, _ body: () async throws -> R) async -> StackError.Reason? {
    await failure(as: StackError.self, body)?.reason(in: operation)
}

extension StackError {
    /// The reason, if this is an error of the operation.
    func reason(in operation: Operation) -> Reason? { self.operation == operation ? reason : nil }
}

extension StackError.Reason {
    /// The word for programs, which is the same for all operations.
    var code: String { StackError(.contacts, self).code }
}

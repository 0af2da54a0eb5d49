import MeshCore

/// An error of a service that wraps those of the layers below.
protocol ServiceFailure: Error {
    init(_ error: SessionError)
    init(_ error: PersistenceStoreError)
}

/// Runs a part of an operation, and tells its failures in the terms of the service; cancellation stays what it is.
func inTerms<E: ServiceFailure, T>(
    of terms: E.Type, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> T
) async throws -> T {
    do {
        return try await body()
    } catch let error as SessionError {
        throw E(error)
    } catch let error as PersistenceStoreError {
        throw E(error)
    }
}

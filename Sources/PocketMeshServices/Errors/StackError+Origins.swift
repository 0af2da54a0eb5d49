import MeshCompanion
import MeshCore
import MeshWire

// What errors of the layers below mean to an operation.
extension StackError {
    /// An error of the session, met during an operation; a label of its own, since both enumerations have cases of one
    /// name.
    init(_ operation: Operation, of error: SessionError) {
        self.init(operation, Reason(error, in: operation), underlying: .session(error))
    }

    /// The same fact, met during another operation.
    func during(_ operation: Operation) -> StackError {
        StackError(operation, reason, underlying: underlying)
    }

    /// Returns the error that ended an operation, in its terms. Cancellation and errors of other services stay as they
    /// are.
    static func meaning(of error: any Error, in operation: Operation) -> any Error {
        switch error {
        case SessionError.refused(let command, .unsupportedCmd): unknown(command, error, in: operation)
        case let error as SessionError: StackError(operation, of: error)
        case let error as DestinationError: StackError(operation, .notSent("\(error)"), underlying: .destination(error))
        // Who is logged in to a node is told when it is the database that fails.
        case let error as StackError
        where error.operation == .store && ![.nodes, .rooms, .requests].contains(operation):
            error.during(operation)
        default: error
        }
    }

    /// The radio does not know a command, which its firmware may be too old for.
    private static func unknown(_ command: CommandCode, _ error: any Error, in operation: Operation) -> any Error {
        guard let refusal = error as? SessionError else { return error }
        guard let capability = FirmwareCapability(command) else { return StackError(operation, of: refusal) }
        return StackError(operation, .needsFirmware(capability), underlying: .session(refusal))
    }
}

/// Runs a part of an operation, and throws its failures in the operation's terms; cancellation stays as it is.
func inTerms<T>(
    of operation: StackError.Operation, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> T
) async throws -> T {
    do { return try await body() } catch { throw StackError.meaning(of: error, in: operation) }
}

extension StackError.Reason {
    init(_ error: SessionError, in operation: StackError.Operation) {
        let link: Self = operation == .nodes || operation == .rooms ? .nodeNotConnected : .notConnected
        let isOfList = operation == .adverts || operation == .contacts || operation == .channels
        self =
            switch (operation, error) {
            case (.contacts, .refused(.addUpdateContact, .tableFull)): .contactTableFull
            case (.contacts, .refused(.importContact, .illegalArg)): .invalidContactLink
            case (.contacts, .refused(_, .notFound)), (.nodes, .refused(_, .notFound)): .contactNotFound
            case (.rooms, .refused(_, .notFound)), (.requests, .refused(_, .notFound)):
                .notSent("the radio does not know the node")
            case (.rooms, .refused(_, .tableFull)), (.requests, .refused(_, .tableFull)):
                .notSent("the radio has no room for another packet")
            case (.settings, .invalidInput(_, let why)): .outOfRange(field: why.field)
            case (.nodes, .loginFailed): .loginFailed("the node refused the password")
            case (.nodes, .noAnswer), (.requests, .noAnswer): .noAnswer
            case (.nodes, .unreadableReply), (.requests, .unreadableReply): .invalidNodeResponse
            case (.adverts, .unreadableReply), (.contacts, .unreadableReply), (.settings, .unreadableReply),
                (.rooms, .unreadableReply):
                .invalidResponse
            case (_, .notStarted), (_, .notConnected): link
            case (_, .connectionLost) where !isOfList: link
            case (.messages, .transport), (.pictures, .transport), (.settings, .transport(.notConnected)),
                (.settings, .transport(.connectionLost)):
                link
            case (.settings, .transport(let why)): .sendFailed("\(why)")
            case (_, .transport(.sendFailed(let why))) where isOfList: .sendFailed(why)
            default: .session(error)
            }
    }
}

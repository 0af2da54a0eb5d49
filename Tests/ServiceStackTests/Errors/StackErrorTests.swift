import Foundation
import MeshCompanion
import MeshCore
import MeshPacket
import MeshTestSupport
import Testing

@testable import PocketMeshServices

/// The table of the reasons for which the stack fails.
@Suite struct StackErrorTests {
    private static let silence = SessionError.timeout(.getContacts, after: .seconds(5))

    /// Each reason once, met during an operation that has it.
    private static let errors: [StackError] = [
        .init(.contacts, .notConnected), .init(.contacts, .invalidResponse), .init(.contacts, .sendFailed("…")),
        .init(.messages, .notSent("…")), .init(.contacts, .session(silence)),
        .init(.connection, .connectionFailed("…")), .init(.connection, .connectionImpossible("…")),
        .init(.connection, .addressUnknown("…")),
        .init(.connection, .addressInvalid("address \"radio\": expected tcp://HOST:PORT")),
        .init(.connection, .scanFailed("…")),
        .init(.connection, .initializationFailed("…")), .init(.connection, .superseded),
        .init(.connection, .bondKept("…")),

        .init(.sync, .syncFailed("…")), .init(.sync, .alreadySyncing),
        .init(.contacts, .syncInterrupted(received: 4, .notConnected)),
        .init(.polling, .pollingFailed(drained: 1, .notConnected)), .init(.polling, .notStored(drained: 3)),
        .init(.polling, .queueDoesNotEnd(drained: 16, isRepeated: true)),
        .init(.polling, .queueDoesNotEnd(drained: 50, isRepeated: false)),

        .init(.messages, .invalidRecipient), .init(.messages, .messageTooLong(count: 161, limit: 160)),
        .init(.messages, .queueFull(limit: 10)), .init(.pictures, .noDirectPath),
        .init(.pictures, .tooManyChunks(count: 600, limit: 512)), .init(.pictures, .imageDecodeFailed),
        .init(.pictures, .featureOff), .init(.pictures, .noCodec), .init(.pictures, .gaveUp(chunk: 4)),
        .init(.pictures, .cancelled),

        .init(.contacts, .contactNotFound), .init(.contacts, .contactTableFull),
        .init(.contacts, .invalidContactLink), .init(.contacts, .invalidKey(count: 3)),
        .init(.contacts, .invalidPath(count: 5, hashSize: 2)), .init(.channels, .channelNotFound),
        .init(.channels, .noFreeSlot), .init(.channels, .invalidChannelLink),
        .init(.channels, .privateRegion("$club")),
        .init(.channels, .invalidChannelIndex(41)), .init(.channels, .secretHashingFailed),
        .init(.settings, .verificationFailed(expected: "power 3", actual: "power 4")),
        .init(.settings, .outOfRange(field: "pin")),
        .init(.settings, .needsFirmware(feature: "statistics", minimum: "1.11")),

        .init(.nodes, .nodeNotConnected), .init(.nodes, .loginFailed("…")), .init(.nodes, .invalidNodeResponse),
        .init(.nodes, .nodeRefused("Error, bad chars")),
        .init(.nodes, .permissionDenied), .init(.nodes, .noAnswer), .init(.nodes, .sessionNotFound),
        .init(.nodes, .passwordNotFound), .init(.nodes, .floodRouted), .init(.nodes, .pathDiscoveryFailed),
        .init(.nodes, .wrongNodeType(.chat)),

        .init(.credentials, .storageFailed(28)), .init(.credentials, .retrievalFailed(5)),
        .init(.credentials, .deletionFailed(5)), .init(.credentials, .unexpectedPasswordData),
        .init(.credentials, .passwordsLocked), .init(.credentials, .insecurePermissions(path: "…")),
        .init(.notifications, .noNotifications), .init(.notifications, .notShown("…")),

        .init(.store, .deviceNotFound), .init(.store, .messageNotFound), .init(.store, .invalidData),
        .init(.store, .saveFailed("…")), .init(.store, .fetchFailed("…")),
        .init(.store, .cannotOpen(path: "…", reason: "…")), .init(.store, .notAStore(path: "…")),
        .init(.store, .damaged(path: "…", detail: "…")), .init(.store, .locked(path: "…")),
        .init(.store, .readOnly(path: "…")), .init(.store, .diskFull(path: "…")), .init(.store, .newer(path: "…")),
    ]

    private static func name(of reason: StackError.Reason) -> String {
        Mirror(reflecting: reason).children.first?.label ?? "\(reason)"
    }

    /// The names of the cases, as the source declares them.
    private static func declaredNames() throws -> Set<String> {
        let path = "Sources/MeshStore/Errors/StackError+Reason.swift"
        let source = try String(contentsOf: StoredArticle(path: path).url, encoding: .utf8)
        let declaration = try #require(source.split(separator: "enum Reason").last?.split(separator: "\n}\n").first)
        return Set(
            declaration.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { $0.hasPrefix("case ") }.flatMap {
                line in
                let names = line.dropFirst("case ".count)
                return names.contains("(")
                    ? [String(names.prefix { $0 != "(" })]
                    : names.split(separator: ",").map { String($0.drop { $0 == " " }) }
            })
    }

    @Test func `each reason has a code, a text and a remedy, and no code is given twice`() throws {
        let errors = Self.errors
        let declared = try Self.declaredNames()

        #expect(Set(errors.map { Self.name(of: $0.reason) }) == declared)
        #expect(Set(errors.map(\.code)).count == errors.count)
        #expect(Set(errors.map(\.description)).count == errors.count)
        for error in errors {
            #expect(error.code.allSatisfy { $0.isLowercase || $0 == "-" }, "\(error.code)")
            #expect(error.description.count > 10, "\(error.code)")
            #expect(error.recovery.hasSuffix("."), "\(error.code)")
            #expect(error.localizedDescription == error.description)
            #expect(error.recoverySuggestion == error.recovery)
        }
    }

    @Test func `the stored article is what the table prints`() throws {
        let stored = StoredArticle(module: "PocketMeshServices", name: "ServiceErrors")

        #expect(try stored.difference(from: Self.article()) == nil)
    }

    private static func article() -> String {
        let operations = StackError.Operation.allCases.map { "| `\($0.rawValue)` | \($0) |" }
        let reasons = errors.map {
            "| `\($0.code)` | \($0) | \($0.recovery) | \($0.isRetryable ? "yes" : "no") |"
        }
        return """
            # Errors of the service stack

            What each error of the services says, and what its user can do.

            ## Overview

            Every error of the services is a `StackError`: the operation, the reason and the error of a lower layer. Programs
            compare the reason or its code. People read text and remedy.

            ## Operations

            Some texts begin with what did not happen.

            | Operation | What did not happen |
            |---|---|
            \(operations.joined(separator: "\n"))

            ## Reasons

            The numbers are examples. An error of the session keeps its own code, text and remedy, here those of a time-out.

            | Code | Text | Remedy | Retry may help |
            |---|---|---|---|
            \(reasons.joined(separator: "\n"))

            """
    }

    @Test func `an error of the session keeps its text, its code and its remedy`() {
        let error = StackError(.contacts, of: Self.silence)

        #expect(error == StackError(.contacts, .session(Self.silence)))
        #expect(error.description == "\(Self.silence)")
        #expect(error.code == Self.silence.code)
        #expect(error.recovery == Self.silence.recovery)
        #expect(error.underlying == .session(Self.silence))
    }

    @Test func `a lost link, the store's failure and a cancellation have their meaning in an operation`() {
        let gone = SessionError.connectionLost("gone")
        let full = StackError(.store, .queueFull(limit: 3))
        func meaning(_ error: any Error, _ operation: StackError.Operation) -> StackError? {
            StackError.meaning(of: error, in: operation) as? StackError
        }

        #expect(meaning(gone, .messages) == StackError(.messages, .notConnected, underlying: .session(gone)))
        #expect(meaning(gone, .nodes)?.reason == .nodeNotConnected)
        #expect(meaning(gone, .contacts)?.reason == .session(gone))
        #expect(meaning(full, .messages) == StackError(.messages, .queueFull(limit: 3)))
        #expect(meaning(full, .nodes) == full, "who logs in is told that it is the store")
        #expect(StackError.meaning(of: CancellationError(), in: .messages) is CancellationError)
    }

    @Test func `a text begins with what did not happen, in the words of the operation`() {
        let why = StackError.Reason.notSent("because")

        #expect("\(StackError(.nodes, why))" == "not sent: because")
        #expect("\(StackError(.rooms, why))" == "not posted: because")
        #expect("\(StackError(.requests, why))" == "not asked: because")
        #expect("\(StackError(.messages, why))" == "the message was not sent: because")
        #expect("\(StackError(.settings, .sendFailed("full")))" == "the setting was not sent: full")
        #expect("\(StackError(.adverts, .sendFailed("full")))" == "the command could not be sent: full")
        #expect(
            "\(StackError(.polling, .pollingFailed(drained: 3, .notStarted)))"
                == "the radio's queue was not emptied; 3 messages came, then: the session has not been started, or was stopped"
        )
    }
}

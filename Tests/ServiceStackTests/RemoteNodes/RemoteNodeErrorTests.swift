import Foundation
import MeshCompanion
import MeshCore
import MeshPacket
import PocketMeshServices
import Testing

/// The texts of errors.
@Suite struct RemoteNodeErrorTests {
    private static let nodeErrors: [(RemoteNodeError, String, String)] = [
        (.notConnected, "not-connected", "there is no connection to the node"),
        (.loginFailed("because"), "login-failed", "the login failed: because"),
        (.sendFailed("because"), "send-failed", "not sent: because"),
        (.invalidResponse, "invalid-response", "the node's answer cannot be read"),
        (.permissionDenied, "permission-denied", "this login does not allow that"),
        (.timeout, "timeout", "the node did not answer in time"),
        (.sessionNotFound, "session-not-found", "there is no session with this node"),
        (.passwordNotFound, "password-not-found", "no password is kept for this node"),
        (.floodRouted, "flood-routed", "no way to the node is known"),
        (.pathDiscoveryFailed, "path-discovery-failed", "no way to the node was found"),
        (.contactNotFound, "contact-not-found", "the node is not among the contacts"),
        (.cancelled, "cancelled", "it was called off"),
        (.wrongNodeType(.chat), "wrong-node-type", "one cannot log in to a node of type chat"),
        (
            .sessionError(.refused(.sendLogin, .tableFull)), "refused",
            "the radio refused CMD_SEND_LOGIN: TABLE_FULL"
        ),
    ]

    @Test(arguments: nodeErrors)
    func `an error of a node has a word, a sentence and some advice`(
        _ error: RemoteNodeError, _ code: String, _ text: String
    ) {
        #expect(error.code == code)
        #expect(error.description == text)
        #expect(error.localizedDescription == text)
        #expect(error.recovery.hasSuffix("."))
    }

    @Test func `what may work a moment later says so`() {
        let retryable = Self.nodeErrors.map(\.0).filter(\.isRetryable)

        #expect(retryable == [.notConnected, .timeout, .floodRouted])
    }

    @Test(
        arguments: [
            (.notConnected, "not-connected", "there is no connection to the room"),
            (.sessionNotFound, "session-not-found", "there is no session with this room"),
            (.sendFailed("because"), "send-failed", "not posted: because"),
            (.permissionDenied, "permission-denied", "this login may read only"),
            (.invalidResponse, "invalid-response", "the radio's answer cannot be read"),
            (.sessionError(.loginFailed), "login-failed", "the node refused the password"),
        ] as [(RoomServerError, String, String)])
    func `an error of a room has a word, a sentence and some advice`(
        _ error: RoomServerError, _ code: String, _ text: String
    ) {
        #expect(error.code == code)
        #expect(error.description == text)
        #expect(error.localizedDescription == text)
        #expect(error.recovery.hasSuffix("."))
    }

    @Test(
        arguments: [
            (.notConnected, "not-connected", "there is no connection to the radio"),
            (.sendFailed("because"), "send-failed", "not asked: because"),
            (.timeout, "timeout", "the node did not answer in time"),
            (.invalidResponse, "invalid-response", "the node's answer cannot be read"),
            (.sessionError(.loginFailed), "login-failed", "the node refused the password"),
        ] as [(BinaryProtocolError, String, String)])
    func `an error of a question has a word, a sentence and some advice`(
        _ error: BinaryProtocolError, _ code: String, _ text: String
    ) {
        #expect(error.code == code)
        #expect(error.description == text)
        #expect(error.localizedDescription == text)
        #expect(error.recovery.hasSuffix("."))
    }
}

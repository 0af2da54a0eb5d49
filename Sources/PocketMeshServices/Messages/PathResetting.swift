public import Foundation

/// Has the radio and the store forget the path to a contact, so that the next message to it is flooded.
///
/// The contacts do that; who sends messages only asks for it.
public protocol PathResetting: Sendable {
    func resetPath(deviceID: UUID, publicKey: Data) async throws
}

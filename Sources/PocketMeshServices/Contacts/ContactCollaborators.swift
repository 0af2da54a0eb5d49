public import Foundation

/// Makes a radio forget the path to a contact, so that the next message to it is flooded.
public protocol PathResetting: Sendable {
    func resetPath(deviceID: UUID, publicKey: Data) async throws
}

/// Puts a contact back on the radio that the radio has dropped by itself.
///
/// A radio sends to its contacts only, so this comes before a message to one that is not on it any more.
public protocol ContactRestoring: Sendable {
    /// Does nothing for a contact that is on the radio.
    func restoreContact(id: UUID) async throws
}

/// Ends a session with a room or repeater whose contact is being removed.
public protocol NodeSessionEnding: Sendable {
    func endSession(deviceID: UUID, publicKey: Data) async
}

/// Has pages load anew what they list.
public protocol ListRefreshing: AnyObject, Sendable {
    func notifyContactsChanged() async
    func notifyConversationsChanged() async
}

extension ContactService: PathResetting, ContactRestoring {}

public import FoundationEssentials

/// Makes a radio forget the path to a contact, so that the next message to it is flooded.
public protocol PathResetting: Sendable {
    /// Makes the radio flood the next message to the contact.
    func resetPath(deviceID: UUID, publicKey: Data) async throws
}

/// A receiver that has pages load their lists anew.
public protocol ListRefreshing: AnyObject, Sendable {
    /// Contacts of the store are other than before: added, removed or changed.
    func notifyContactsChanged() async
    /// Reports that conversations have other messages or unread counts; several changes may be reported as one.
    func notifyConversationsChanged() async
}

extension ContactService: PathResetting {}

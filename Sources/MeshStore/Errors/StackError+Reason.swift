public import MeshCore
public import MeshPacket

extension StackError {
    /// The reason why an operation failed; text, code and remedy of each case are in the table `StackError.row`.
    public enum Reason: Hashable, Sendable {
        // The link and the radio.
        case notConnected, invalidResponse
        /// The link did not accept the frame.
        case sendFailed(String)
        /// The radio, the node or a rule for sending refuses it.
        case notSent(String)
        /// Any other error of the session with the radio.
        case session(SessionError)
        /// The link could not be opened: no answer in time, or the transport's reason.
        case connectionFailed(String)
        /// The link cannot be opened, and asking again does not change that; the transport's reason.
        case connectionImpossible(String)
        /// No address is known for the radio, or the address makes no sense.
        case addressUnknown(String)
        /// The text is no address of a radio, with the reason.
        case addressInvalid(String)
        /// Radios nearby cannot be scanned for, with the reason.
        case scanFailed(String)
        /// The link was open, and the radio did not introduce itself.
        case initializationFailed(String)
        /// The user asked for another radio, or for none, in the meantime.
        case superseded
        /// The radio is forgotten here, and the system keeps its pairing.
        case bondKept(String)

        // Synchronising. What came before a failure is kept; the rest waits in the radio.
        /// The failed phase, and its error.
        case syncFailed(String)
        case alreadySyncing
        /// The listing of contacts broke off after this number of contacts, which are kept.
        case syncInterrupted(received: Int, SessionError)
        /// The emptying of the radio's queue broke off after this number of messages.
        case pollingFailed(drained: Int, SessionError)
        /// The store does not accept messages, so no more are requested; `drained` had come before.
        case notStored(drained: Int)
        /// The radio always has one more message. `isRepeated`: the last ones were all the same.
        case queueDoesNotEnd(drained: Int, isRepeated: Bool)

        // Messages and pictures.
        /// Repeaters accept no texts.
        case invalidRecipient
        /// The text is too long: its length and the limit, in bytes of UTF-8.
        case messageTooLong(count: Int, limit: Int)
        /// The limit of waiting messages of the radio is reached; this one was not stored.
        case queueFull(limit: Int)
        /// The recipient has no path, or one that raw data cannot use: it is never flooded. Nothing was written.
        case noDirectPath
        /// The picture needs more chunks than may be sent; nothing was written.
        case tooManyChunks(count: Int, limit: Int)
        case imageDecodeFailed, featureOff
        /// No codec reads and writes pictures, and the data is not ready to be sent.
        case noCodec
        /// The radio never accepted this chunk.
        case gaveUp(chunk: Int)
        /// The user, a later wish or the end of the service called it off.
        case cancelled

        // Contacts, channels and settings.
        case contactNotFound, contactTableFull, invalidContactLink
        /// A key that has not 32 bytes.
        case invalidKey(count: Int)
        /// A path whose bytes are no whole number of hashes, or too many.
        case invalidPath(count: Int, hashSize: Int)
        case channelNotFound, noFreeSlot, invalidChannelLink
        /// The key of a private region, whose name begins with `$`, does not follow from its name.
        case privateRegion(String)
        /// The radio has no slot with this number, counted from 0.
        case invalidChannelIndex(Int)
        /// The secret cannot be made: the passphrase is empty, or the secret is zero or has not 16 bytes.
        case secretHashingFailed
        /// The firmware lacks the feature; `minimum` is the first release of the companion firmware that has it.
        case needsFirmware(feature: String, minimum: String)
        /// The radio accepted the value and then reports another one.
        case verificationFailed(expected: String, actual: String)
        /// The value is none that a radio accepts; nothing was written.
        case outOfRange(field: String)

        // Other nodes.
        /// The node, or the room, has not accepted our login over this link.
        case nodeNotConnected
        /// The node, or the rules for passwords, refused the login for this reason.
        case loginFailed(String)
        /// The node refused a command line, with its answer.
        case nodeRefused(String)
        case invalidNodeResponse, permissionDenied, noAnswer, sessionNotFound, passwordNotFound
        /// No path to the node is known, and the request does not travel by flood.
        case floodRouted
        case pathDiscoveryFailed
        /// A node of this type has no sessions.
        case wrongNodeType(NodeType)

        // Passwords, with the system's error number, and notifications.
        /// A password was not kept; an earlier one still is.
        case storageFailed(Int32)
        /// The kept passwords could not be read; whether there is one for the node is not known.
        case retrievalFailed(Int32)
        /// A password was not forgotten, and is still kept.
        case deletionFailed(Int32)
        /// The stored data were changed, or belong to another key.
        case unexpectedPasswordData
        case passwordsLocked
        /// Others may read or change the stored file; nothing was read from it and nothing written.
        case insecurePermissions(path: String)
        /// The notifications have no place to be shown.
        case noNotifications
        /// The desktop refused a notification, with its reason.
        case notShown(String)

        // The database. Nothing of a failed operation is stored.
        case deviceNotFound, messageNotFound
        /// A row holds a value that this version does not know, or a value to store has the wrong length.
        case invalidData
        /// A write failed: SQLite's message, or the contradiction to the stored rows.
        case saveFailed(String)
        /// A read failed; SQLite's message.
        case fetchFailed(String)
        /// The file cannot be opened or made; the message of SQLite or of the system.
        case cannotOpen(path: String, reason: String)
        /// The file is a database of something else, or no database.
        case notAStore(path: String)
        /// The file's structure is broken; it was not changed.
        case damaged(path: String, detail: String)
        /// Another process holds the write lock for longer than the store waits.
        case locked(path: String)
        /// The file may not be written, and something has to be: a change, or the structure of this version.
        case readOnly(path: String)
        /// The file cannot grow: the disk, or the share of the user, is used up.
        case diskFull(path: String)
        /// A later version of this program wrote the file.
        case newer(path: String)
    }
}

extension StackError.Reason {
    /// The error of the session that the reason names.
    var sessionError: SessionError? {
        switch self {
        case .session(let error), .syncInterrupted(_, let error), .pollingFailed(_, let error): error
        default: nil
        }
    }

    /// True when the database file fails, and not the message.
    ///
    /// Any other message would fail as well, and the same one succeeds when the file is well again.
    package var isOfTheFile: Bool {
        switch self {
        case .diskFull, .locked, .readOnly, .damaged, .cannotOpen, .notAStore, .newer, .saveFailed, .fetchFailed: true
        default: false
        }
    }
}

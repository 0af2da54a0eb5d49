import Glibc
import MeshCore
import MeshWire

extension StackError {
    /// The meaning of a reason, for programs and people.
    struct Row {
        var code: String
        var text: String
        var recovery: String
        var isRetryable: Bool

        init(_ code: String, _ text: String, _ recovery: String, retry: Bool = false) {
            (self.code, self.text, self.recovery, self.isRetryable) = (code, text, recovery, retry)
        }
    }

    private static let connect = "Connect to the radio first."
    private static let reach = "Check that the radio is on and in reach, and try again."
    private static let correct = "Correct what was entered."
    private static let path = "Wait until a way to the node is known, or set one."
    private static let sync = "Synchronise again; what was received so far is kept."
    private static let password = "Enter the node's password."
    private static let again = "Try again; if it stays so, restart the radio."
    private static let keys = "Make sure that there is room on the disk, and that nobody else holds the passwords."
    private static let disk = "Check that there is room on the disk and that nobody else uses the database."

    /// The row of the reason. The article `ServiceErrors` of `PocketMeshServices` shows the whole table.
    var row: Row {
        switch reason {
        // The link and the radio.
        case .notConnected: Row("not-connected", "there is no connection to the radio", Self.connect, retry: true)
        case .invalidResponse:
            Row("invalid-response", "the radio's answer cannot be read", Self.again)
        case .sendFailed(let why): Row("send-failed", "\(operation): \(why)", Self.reach, retry: true)
        case .notSent(let why):
            Row("not-sent", "\(operation): \(why)", "Correct what was entered, or wait a moment, and try again.")
        case .session(let error): Row(error.code, "\(error)", error.recovery, retry: error.mayPass)
        case .connectionFailed(let why): Row("connection-failed", "\(operation): \(why)", Self.reach, retry: true)
        case .connectionImpossible(let why):
            Row(
                "connection-impossible", "\(operation), and trying again does not help: \(why)",
                "Do what the text says, and connect again.")
        case .addressUnknown(let what):
            Row("address-unknown", "no radio is known at \(what)", "Check the address, or add the radio again.")
        case .addressInvalid(let why): Row("address-invalid", why, Self.correct)
        case .scanFailed(let why):
            Row(
                "scan-failed", "radios nearby cannot be found: \(why)",
                "Do what the text says, or connect over a network or a serial line.", retry: true)
        case .initializationFailed(let why):
            Row(
                "initialization-failed", "the radio was reached and could not be set up: \(why)",
                "Restart the radio, and connect again.", retry: true)
        case .superseded:
            Row("superseded", "another connection was asked for, or none", "Nothing; the later wish counts.")
        case .bondKept(let why):
            Row(
                "bond-kept", "the radio is forgotten, and its pairing is kept: \(why)",
                "Remove the pairing in the system's Bluetooth settings.")
        // Synchronising.
        case .syncFailed(let why): Row("sync-failed", "\(operation): \(why)", Self.sync, retry: true)
        case .alreadySyncing:
            Row(
                "already-syncing", "a synchronisation runs already",
                "Wait until the synchronisation that runs has ended.")
        case .syncInterrupted(let received, let error):
            Row(
                "sync-interrupted", "the synchronisation of contacts broke off after \(received): \(error)", Self.sync,
                retry: true)
        case .pollingFailed(let drained, let error):
            Row("polling-failed", "\(operation); \(Self.came(drained)), then: \(error)", error.recovery, retry: true)
        case .notStored(let drained):
            Row("not-stored", "\(operation): the database takes no messages; \(Self.came(drained))", Self.disk)
        case .queueDoesNotEnd(let drained, isRepeated: true):
            Row(
                "queue-repeats",
                "the radio gives out the same message again and again; \(Self.came(drained)), and no more are asked for",
                "Restart the radio; if it stays so, its firmware is broken.")
        case .queueDoesNotEnd(let drained, isRepeated: false):
            Row(
                "queue-without-end",
                "the radio's queue does not end; \(Self.came(drained)), and no more are asked for",
                "Synchronise again, or allow more messages for one synchronisation.")
        // Messages and pictures.
        case .invalidRecipient:
            Row("invalid-recipient", "a repeater takes no text messages", "Use the repeater's command line.")
        case .messageTooLong(let count, let limit):
            Row(
                "message-too-long", "the message has \(count) bytes, \(limit) are possible",
                "Shorten the message, or send it in parts.")
        case .queueFull(let limit):
            Row(
                "queue-full", "\(limit) messages wait for the radio already, as many as may",
                "Wait until the radio is connected, or delete a waiting message.")
        case .noDirectPath:
            Row(
                "no-direct-path", "there is no path to the contact that pictures can take",
                "Find a path to the contact first; a message to it does.")
        case .tooManyChunks(let count, let limit):
            Row("image-too-large", "the picture has \(count) chunks, \(limit) are possible", "Choose a smaller one.")
        case .imageDecodeFailed:
            Row("image-unreadable", "the data is no picture that can be read", "Choose a JPEG picture.")
        case .featureOff: Row("feature-off", "pictures are switched off", "Choose a profile with pictures.")
        case .noCodec: Row("no-codec", "pictures cannot be made smaller here", "Choose a small JPEG picture.")
        case .gaveUp(let chunk):
            Row(
                "gave-up", "the radio had no room for chunk \(chunk)",
                "Wait until the mesh is quieter, and send the picture again.", retry: true)
        case .cancelled: Row("cancelled", "it was called off", "Try again if it is still wanted.")
        // Contacts, channels and settings.
        case .contactNotFound:
            Row("contact-not-found", "this contact is not known", "Sync the contacts, or add this one again.")
        case .contactTableFull:
            Row(
                "contact-table-full", "the radio has no room for another contact",
                "Remove contacts from the radio, or let it overwrite the oldest, and try again.")
        case .invalidContactLink:
            Row("invalid-contact-link", "this is no link or card of a contact", "Ask for a fresh link or card.")
        case .invalidKey(let count):
            Row("invalid-key", "a key has 32 bytes, this one has \(count)", Self.correct)
        case .invalidPath(let count, let size):
            Row("invalid-path", "\(count) bytes are no path of hashes of \(size) bytes each", Self.correct)
        case .channelNotFound:
            Row("channel-not-found", "this channel is not known", "Sync the channels, or add this one again.")
        case .noFreeSlot:
            Row("no-free-slot", "all channel slots of the radio are in use", "Leave a channel, and try again.")
        case .invalidChannelLink: Row("invalid-channel-link", "this is no link of a channel", "Ask for a fresh link.")
        case .privateRegion(let name):
            Row(
                "private-region", "the key of the private region \(name) does not follow from its name",
                "Use a region without $, or none.")
        case .invalidChannelIndex(let index):
            Row("invalid-channel-index", "the radio has no channel slot \(index)", "Choose one of the radio's slots.")
        case .secretHashingFailed:
            Row(
                "secret-hashing-failed",
                "a channel needs a passphrase, or a secret of 16 bytes that are not all zero",
                "Enter a passphrase or another secret.")
        case .verificationFailed(let expected, let actual):
            Row(
                "not-taken", "the radio was to have \(expected), and says \(actual)",
                "Look at the setting again; another app or the radio itself may have changed it.")
        case .needsFirmware(let feature, let minimum):
            Row(
                "needs-firmware", "the radio's firmware does not have \(feature); release \(minimum) is needed",
                "Update the radio's firmware, or do without.")
        case .outOfRange(let field): Row("out-of-range", "\(field) is outside what the radio takes", Self.correct)
        // Other nodes.
        case .nodeNotConnected:
            Row(
                "node-not-connected", "there is no connection to the node",
                "Connect to the radio, and log in to the node again.", retry: true)
        case .loginFailed(let why): Row("login-failed", "the login failed: \(why)", Self.password)
        case .nodeRefused(let answer): Row("node-refused", "the node answered: \(answer)", Self.correct)
        case .invalidNodeResponse:
            Row(
                "invalid-node-response", "the node's answer cannot be read",
                "Try again; if it stays so, update the node's firmware.")
        case .permissionDenied:
            Row("permission-denied", "this login does not allow that", "Log in with a password that allows it.")
        case .noAnswer:
            Row(
                "no-answer", "the node did not answer in time",
                "Check that the node is on and in reach of the mesh, or log in to it first.", retry: true)
        case .sessionNotFound:
            Row("session-not-found", "there is no session with this node", "Log in to the node, or join the room.")
        case .passwordNotFound: Row("password-not-found", "no password is kept for this node", Self.password)
        case .floodRouted: Row("flood-routed", "no way to the node is known", Self.path, retry: true)
        case .pathDiscoveryFailed: Row("path-discovery-failed", "no way to the node was found", Self.path)
        case .wrongNodeType(let type):
            Row(
                "wrong-node-type", "one cannot log in to a node of type \(type)",
                "Choose a repeater, a room or a sensor.")
        // Passwords and notifications.
        case .storageFailed(let code):
            Row("password-not-kept", "the password was not kept: \(Self.system(code))", Self.keys)
        case .retrievalFailed(let code):
            Row("password-not-read", "the kept passwords were not read: \(Self.system(code))", Self.keys)
        case .deletionFailed(let code):
            Row("password-not-forgotten", "the password was not forgotten: \(Self.system(code))", Self.keys)
        case .unexpectedPasswordData:
            Row(
                "passwords-unreadable",
                "the kept passwords cannot be read: they were changed, or sealed with another key",
                "Give the key that they were sealed with, or move them aside and enter them again.")
        case .passwordsLocked: Row("passwords-locked", "the kept passwords are locked", "Unlock the keyring.")
        case .insecurePermissions(let path):
            Row(
                "insecure-permissions",
                "\(path) can be reached by other users or belongs to one; make it yours alone (chmod go-rwx)",
                "Make it yours alone, and change the passwords that were in it.")
        case .noNotifications:
            Row(
                "no-notifications", "there is nothing here that shows notifications",
                "Start the desktop's notification service.", retry: true)
        case .notShown(let why): Row("not-shown", "\(operation): \(why)", "Look at the desktop's settings.")
        // The database.
        case .deviceNotFound: Row("device-not-found", "the store does not know this radio", Self.connect)
        case .messageNotFound: Row("message-not-found", "the store does not know this message", "Write it again.")
        case .invalidData:
            Row(
                "invalid-data", "a stored value cannot be understood, or a value to be stored has the wrong length",
                "Update this program.")
        case .saveFailed(let why): Row("save-failed", "not saved: \(why)", Self.disk, retry: true)
        case .fetchFailed(let why): Row("fetch-failed", "not read: \(why)", Self.disk, retry: true)
        case .cannotOpen(let path, let why):
            Row(
                "cannot-open", "the database \(path) cannot be opened: \(why)",
                "Check the path, and who may read and write there.")
        case .notAStore(let path):
            Row(
                "not-a-store", "\(path) is not a database of this program; it was not touched", "Choose another file.")
        case .damaged(let path, let detail):
            Row(
                "damaged",
                "the database \(path) is damaged (\(detail)). The file was kept; move it aside to begin with an empty one",
                "Move the file aside, or take one that was kept elsewhere.")
        case .locked(let path):
            Row("locked", "the database \(path) is in use by another process", "End the other program.", retry: true)
        case .readOnly(let path):
            Row("read-only", "the database \(path) may only be read", "Make the file one that you may write.")
        case .diskFull(let path):
            Row("disk-full", "there is no room left to write to the database \(path)", Self.disk, retry: true)
        case .newer(let path):
            Row(
                "newer", "the database \(path) was written by a later version of this program; it was not touched",
                "Update this program.")
        }
    }

    private static func came(_ count: Int) -> String { count.counted("message") + " came" }

    private static func system(_ code: Int32) -> String { String(cString: strerror(code)) }
}

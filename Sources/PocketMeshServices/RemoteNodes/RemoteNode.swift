import FoundationEssentials
import MeshCore

/// One node of a service: the plan of its session, and the work for it.
final class RemoteNode {
    /// The radio whose session it is.
    let deviceID: UUID
    /// The first 6 bytes of its key, by which radios name it.
    let prefix: Data
    var plan: LoginPlan
    /// The password given for it, kept by the credential store or not.
    var secret: SessionSecret?
    /// The lead of its clock over ours at its last login, in seconds.
    var clockLead: Int?
    /// The number of running logins, with the requests for history that follow them.
    var entering = 0
    /// The number of posts that it has neither confirmed nor refused.
    var posting = 0
    /// The async mutex for stamps of keep-alives and posts: a room treats equal stamps as copies.
    let stamps = AsyncSemaphore()
    /// The time of the last post if the room sent it again, else 0: it has not heard the radio's confirmation.
    var repeatedPost: UInt32 = 0
    /// The hash that would answer its last keep-alive.
    var awaitedAnswer: UInt32?
    var commands = NodeCommandQueue()

    /// True when a post would be stored, and not discarded as older than a login.
    var mayPost: Bool { plan.mayPost && entering == 0 }

    init(_ row: RemoteNodeSessionDTO) {
        deviceID = row.deviceID
        prefix = Data(row.publicKeyPrefix)
        plan = LoginPlan(isMarked: row.isConnected)
    }
}

/// A password that was given for a session.
struct SessionSecret {
    var password: String
    /// True when the password is stored after a login that succeeded.
    var isRemembered: Bool
}

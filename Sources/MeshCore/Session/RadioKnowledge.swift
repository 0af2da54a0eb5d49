import MeshCompanion
import MeshWire

/// The last values that a radio has sent about itself, as a session keeps them.
struct RadioKnowledge {
    var selfInfo: SelfInfo?
    var deviceInfo: DeviceInfo?
    /// Commands that the radio has refused as unknown.
    var unknownCommands: Set<CommandCode> = []
    var contacts = ContactCache()
    /// The acknowledgements that came, also before a caller waited for them.
    var acknowledgements = AcknowledgementLog()
    /// The radio's last stamps for requests, by the node that was asked.
    private var stamps: [FixedBytes<32>: UInt32] = [:]
    /// The longest frame of the last link.
    var linkFrame = CompanionLimits.frame

    /// The longest frame that link and radio accept: firmware before 1.16 cuts or drops longer ones than 172 bytes.
    ///
    /// Source: FirmwareVersions, FWV-170.
    var frameLimit: Int {
        guard let level = deviceInfo?.firmwareVersionCode else { return linkFrame }
        return min(linkFrame, FirmwareVersion.switches(ofLevel: level).frameLimit)
    }

    /// Tells whether the radio may have several interfaces, and writes to all apps what one of them has asked for.
    ///
    /// Source: FirmwareVersions, FWV-203.
    var mayBeShared: Bool {
        guard let level = deviceInfo?.firmwareVersionCode else { return false }
        return FirmwareVersion.switches(ofLevel: level).hasSeveralInterfaces
    }

    /// The radio's last stamp for a request to a node; 0 without one.
    func lastStamp(to node: FixedBytes<32>) -> UInt32 { stamps[node] ?? 0 }

    mutating func noteStamp(_ stamp: UInt32, to node: FixedBytes<32>) { stamps[node] = stamp }

    /// Returns whether a node that has had the last request would take a text for a copy, or for an old one.
    func isPast(_ stamp: TextStamp) -> Bool {
        let last = lastStamp(to: stamp.node)
        // A copy that is older is refused without an acknowledgement: nothing is lost by it.
        guard stamp.isFirst else { return last == stamp.time }
        // Radios of somebody else's draw their tags.
        return last >= stamp.time && last - stamp.time < 24 * 3600
    }

    mutating func note(_ event: MeshEvent) {
        switch event {
        case .selfInfo(let info): selfInfo = info
        case .deviceInfo(let info): deviceInfo = info
        case .acknowledgement(let code, let trip): acknowledgements.note(code, trip)
        default: contacts.note(event)
        }
    }
}

/// The turns of a session: in each line, one task goes after the other.
struct SessionTurns: Sendable {
    let commands = AsyncSemaphore()
    /// The radio keeps one request to the mesh at a time.
    let meshRequests = AsyncSemaphore()
    /// Settings that are read, changed and written.
    let settingChanges = AsyncSemaphore()
    let signing = AsyncSemaphore()

    private var all: [AsyncSemaphore] { [commands, meshRequests, settingChanges, signing] }

    func open() {
        for semaphore in all { semaphore.open() }
    }

    func close(_ error: SessionError) {
        for semaphore in all { semaphore.close(error) }
    }
}

import FoundationEssentials
import MeshBoards
import MeshCapture
import MeshCompanion
import MeshCore
import MeshFirmware
import MeshPacket
import MeshSimulator
import MeshTime
import MeshTransports
import MeshWire
import PocketMeshServices

/// Prepares all nodes for the script: radios set up, contacts known, apps open.
struct StageBuilder: Sendable {
    let stage: Stage
    var defect: StackDefect?

    func build() async throws {
        try stage.checkLinkPlans()
        try await enterCommands()
        let people = stage.scenario.cast.filter(\.isPerson)
        var radios: [String: PreparedRadio] = [:]
        do {
            for member in people { try await prepare(member, &radios[member.name]) }
            let keys = radios.compactMapValues(\.key)
            for member in people {
                guard let radio = radios[member.name], let key = radio.key else { continue }
                try await introduce(member, radio.faults, keys)
                stage.add(
                    .init(
                        app: try await app(member, radio.faults), link: radio.link, faults: radio.faults, key: key,
                        keeper: radio.keeper),
                    as: member)
                radios[member.name]?.isOnStage = true
            }
        } catch {
            await putBack(people.compactMap { member in radios[member.name].map { (member, $0) } })
            throw error
        }
        for member in people { try await stage.app(of: member).open() }
    }

    /// A person's radio before it is on the stage.
    private struct PreparedRadio {
        let link: CuttableLink
        let faults: FaultyTransport
        var key: FixedBytes<32>?
        /// The keeper of the radio's settings before the run; `nil` for a radio that ends with the scenario.
        var keeper: RadioKeeper?
        var isOnStage = false
    }

    private func prepare(_ member: Member, _ radio: inout PreparedRadio?) async throws {
        let cut = CuttableLink(try await recorded(try await stage.mesh.transport(to: member), member))
        let link = FaultyTransport(
            cut, seed: stage.seed.part("link", member.name), clock: stage.clock,
            carrier: stage.mesh.carrier(of: member))
        radio = PreparedRadio(link: cut, faults: link)
        // Nothing is changed before it is known how the radio was.
        if !stage.mesh.abilities.contains(.freshRadio) { radio?.keeper = try await keeper(of: link) }
        radio?.key = try await setUp(member, link)
    }

    private func keeper(of link: any MeshTransport) async throws -> RadioKeeper {
        try await MeshCoreSession.visit(link, clock: stage.clock) { RadioKeeper(try await RadioRecord(of: $0)) }
    }

    /// Radios of a stage that is not completed; the stage itself puts back those that are on it.
    private func putBack(_ radios: [(Member, PreparedRadio)]) async {
        for (member, radio) in radios where !radio.isOnStage {
            do { try await radio.keeper?.restore(over: radio.link, clock: stage.clock) } catch {
                stage.eventLog.fail("the radio of \(member.name) is put back", "\(error)", at: stage.time)
            }
            await radio.faults.disconnect()
        }
    }

    /// A link that reports its frames to the event log. It is there also when nothing is kept. A run that records then
    /// performs the same steps as one that does not, and shows the same failure.
    private func recorded(_ link: any MeshTransport, _ member: Member) async throws -> any MeshTransport {
        let eventLog = stage.eventLog
        let stage = stage
        return RecordingTransport(link, clock: stage.clock) { entry in
            let kind: EventLog.Entry.Kind
            switch entry.event {
            case .connected: kind = .connected
            case .disconnected: kind = .disconnected
            case .frame(.toRadio, let frame):
                kind = .toRadio(frame)
                stage.ledger.note(toRadio: frame, of: member)
            case .frame(.toApp, let frame):
                kind = .toApp(frame)
                stage.ledger.note(toApp: frame, of: member)
            case .packet, .problem, .turn: return
            }
            eventLog.add(kind, who: member.name, at: stage.time)
        }
    }

    private func app(_ member: Member, _ link: FaultyTransport) async throws -> any ScenarioApp {
        let dependencies = ServiceDependencies(
            clock: stage.clock, startDate: Date(timeIntervalSince1970: Double(stage.seconds)),
            seed: stage.seed.part("stack", member.name))
        switch member.role {
        case .stack(let choices):
            return try await StackApp(
                member.name, choices: choices, link: link, dependencies: dependencies,
                defect: defect, isPaired: stage.mesh.isPaired(member))
        default:
            let stage = stage
            return SessionApp(
                link: link, dependencies: dependencies, attempts: member.settings.attempts,
                datesEachAttempt: member.settings.datesEachAttempt, pauses: stage.seed.stream("client", member.name)
            ) { stage.seconds }
        }
    }

    /// Names the radio and sets its clock, unless it is somebody else's; the radio's key.
    private func setUp(_ member: Member, _ link: any MeshTransport) async throws -> FixedBytes<32> {
        let key = try await MeshCoreSession.visit(link, clock: stage.clock) { session in
            try await session.queryDeviceIfTold()
            if member.sharesRadio { return await session.currentSelfInfo?.publicKey }
            // A radio refuses to go back; one that is ahead stays so.
            try? await session.setTime(stage.seconds)
            try await session.setName(member.name)
            if member.settings.hasShortSymbols, let info = await session.currentSelfInfo {
                try await session.setRadio(
                    megahertz: Double(info.frequency) / 1000, kilohertz: 500, spreadingFactor: 7,
                    codingRate: info.codingRate)
            }
            return await session.currentSelfInfo?.publicKey
        }
        guard let key else { throw ScenarioError("the radio of \(member.name) does not introduce itself") }
        return key
    }

    /// Gives the radio its known contacts.
    private func introduce(
        _ member: Member, _ link: any MeshTransport, _ keys: [String: FixedBytes<32>]
    ) async throws {
        let known = stage.scenario.knownContacts.filter { $0.who.name == member.name }
        guard !known.isEmpty else { return }
        try await MeshCoreSession.visit(link, clock: stage.clock) { session in
            for knownContact in known {
                try await session.updateContact(try await contact(knownContact, keys))
            }
        }
    }

    private func contact(
        _ knownContact: KnownContact, _ keys: [String: FixedBytes<32>]
    ) async throws -> ContactRecord {
        var record = ContactRecord()
        record.publicKey = try await key(knownContact.whom, keys)
        record.name = FixedBytes(text: ByteText(knownContact.whom.radioName))
        record.type = knownContact.whom.contactType
        guard let path = knownContact.path else { return record }
        var hashes: [UInt8] = []
        for hop in path { hashes.append(try await key(hop, keys)[0]) }
        record.outPathLength = PathLength(hashSize: 1, hops: hashes.count)
        record.outPath = FixedBytes(hashes)
        return record
    }

    private func key(_ member: Member, _ keys: [String: FixedBytes<32>]) async throws -> FixedBytes<32> {
        if let key = keys[member.name] { return key }
        return try await stage.key(of: member)
    }

    /// Has consoles read their command lines.
    private func enterCommands() async throws {
        let lines = stage.scenario.cast.filter(\.isInfrastructure).flatMap { member in
            member.settings.commands.map { (member, $0) }
        }
        for (member, line) in lines {
            try await stage.withWorld { world in
                world.inject(.appBytes([UInt8]((line + "\r").utf8)), into: try world.node(of: member))
            }
            try await stage.sleep(.milliseconds(50))
        }
    }
}

extension Member {
    var contactType: NodeType { role.serverRole?.nodeType ?? .chat }
}

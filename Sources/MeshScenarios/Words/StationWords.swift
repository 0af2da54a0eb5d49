import FoundationEssentials
import MeshCompanion
import MeshCore
import MeshPacket
import MeshTime
import MeshWire
import PocketMeshServices

/// Asks a repeater, room or sensor, and asks again while no answer comes.
///
/// Answers are lost like any packet; a person asks again after a drawn pause.
public struct Asks: Action {
    /// The kinds of requests.
    enum Question: Hashable, Sendable {
        case login(password: String)
        /// A login that has to be refused, or left without an answer.
        case loginInVain(password: String)
        /// A command line whose answer has to contain a text.
        case command(String, answer: String)
        case status
        /// Readings, so many at least.
        case telemetry(count: Int)
        /// A reading of this type, whose first value is within a range.
        case reading(LPPType, ClosedRange<Double>)
        /// The table of neighbours, with that node in it.
        case neighbours(Member?)
    }

    let who: Member
    let station: Member
    let question: Question
    /// The number of times that it is asked before it counts as unanswered.
    var attempts = 3

    public var cast: [Member] {
        if case .neighbours(let other?) = question { return [who, station, other] }
        return [who, station]
    }
    public var subjects: [Subject] {
        if case .login = question { [.member(who.name, of: station.name)] } else { [] }
    }

    public var sentence: String {
        switch question {
        case .login: "\(who.name) logs in at \(station.name)"
        case .loginInVain: "\(who.name) is not let in at \(station.name)"
        case .command(let line, let answer): "\(who.name) tells \(station.name) “\(line)” and is answered “\(answer)”"
        case .status: "\(who.name) reads the status of \(station.name)"
        case .telemetry: "\(who.name) reads what \(station.name) measures"
        case .reading(let type, let range):
            "\(who.name) reads \(type) of \(station.name): \(range.lowerBound.formatted) to \(range.upperBound.formatted)"
        case .neighbours(nil): "\(who.name) reads the neighbours of \(station.name)"
        case .neighbours(let other?): "\(who.name) reads that \(station.name) hears \(other.name)"
        }
    }

    public func perform(on stage: Stage) async throws {
        let asked = try await AskedApp(who, station, stage)
        if case .loginInVain(let password) = question {
            do { try await asked.logIn(password) } catch is CancellationError { throw CancellationError() } catch {
                return
            }
            throw ScenarioError("was let in")
        }
        var pauses = stage.seed.stream("asks", sentence)
        for attempt in 1...attempts {
            do {
                return try await ask(asked, stage)
            } catch let error as ScenarioError {
                throw error
            } catch  where attempt < attempts && !(error is CancellationError) {
                try await stage.sleep(pauses.pause(.seconds(2 * attempt)))
            }
        }
    }

    private func ask(_ asked: AskedApp, _ stage: Stage) async throws {
        switch question {
        case .login(let password): try await asked.logIn(password)
        case .loginInVain: break
        case .command(let line, let answer):
            let got = try await asked.command(line)
            guard got.contains(answer) else { throw ScenarioError("the answer is “\(got)”") }
        case .status: _ = try await asked.session.requestStatus(from: asked.key, type: station.contactType)
        case .telemetry(let count):
            let points = try await asked.session.requestTelemetry(from: asked.key)
            guard points.count >= count else { throw ScenarioError("there are \(points.count) readings") }
        case .reading(let type, let range):
            let points = try await asked.session.requestTelemetry(from: asked.key)
            guard let value = points.first(where: { $0.type == type })?.values.first else {
                throw ScenarioError("there is no \(type) among \(points.count) readings")
            }
            guard range.contains(value) else { throw ScenarioError("it is \(value.formatted)") }
        case .neighbours(let other):
            let table = try await asked.session.requestNeighbours(from: asked.key, random: UInt32(stage.seconds))
            guard let other else { return }
            let prefix = try await stage.key(of: other).array
            guard table.neighbours.contains(where: { prefix.starts(with: $0.keyPrefix) }) else {
                throw ScenarioError("\(other.name) is not among \(table.neighbours.count) neighbours")
            }
        }
    }
}

/// An app that asks a station, in its own way: a stack by its services, a client by its session.
private struct AskedApp {
    let app: any ScenarioApp
    let session: MeshCoreSession
    let key: FixedBytes<32>
    let station: Member
    let stage: Stage

    init(_ who: Member, _ station: Member, _ stage: Stage) async throws {
        app = try stage.app(of: who)
        session = try await app.session()
        key = try await stage.key(of: station)
        self.station = station
        self.stage = stage
    }

    func logIn(_ password: String) async throws {
        guard let stack = app as? StackApp, station.role == .repeater else {
            if station.role == .room { return try await app.enter(key, password: password) }
            _ = try await session.sendLogin(to: key, password: password)
            return
        }
        _ = try await stack.services().repeaterAdminService.connectAsAdmin(
            deviceID: stack.device(), contact: stack.contact(key), password: password)
    }

    func command(_ line: String) async throws -> String {
        if let stack = app as? StackApp, station.role == .repeater {
            let id = StableIdentifier.session(deviceID: try await stack.device(), publicKey: Data(key.array))
            return try await stack.services().repeaterAdminService.sendCommand(sessionID: id, command: line)
        }
        let answers = await session.events(filter: .contactMessage(fromPrefix: key.sixBytes.array))
        let sent = try await session.sendCommand(
            to: .bytes(key.array), command: line, timestamp: stage.seconds)
        let prefix = key.sixBytes
        let answer = await stage.clock.first(in: answers, within: .milliseconds(Int64(sent.timeout)) * 2 + .seconds(5))
        {
            event -> String? in
            guard case .contactMessageReceived(let received) = event, received.message.publicKeyPrefix == prefix,
                received.message.textType == .cliData
            else { return nil }
            return received.message.text.readable
        }
        guard let answer else { throw SessionError.noAnswer(.sendTxtMsg, after: .milliseconds(Int64(sent.timeout))) }
        return answer
    }
}

extension Person {
    /// Enters a room with its guest password.
    public func enters(_ room: Room, password: String = "hello") -> Asks {
        Asks(who: member, station: room.member, question: .login(password: password))
    }

    /// Leaves a post in a room.
    public func posts(_ text: String, in room: Room) -> Posts { Posts(who: member, text: text, room: room.member) }

    /// Logs in as administrator, or with another password.
    public func logsIn(at station: some Station, password: String = "password") -> Asks {
        Asks(who: member, station: station.member, question: .login(password: password))
    }

    /// Tries a password that must not open a station.
    public func isNotLetIn(at station: some Station, password: String) -> Asks {
        Asks(who: member, station: station.member, question: .loginInVain(password: password))
    }

    /// Sends a command line; the answer contains the text.
    public func tells(_ station: some Station, _ line: String, answer: String) -> Asks {
        Asks(who: member, station: station.member, question: .command(line, answer: answer))
    }

    /// Asks a station for its status, and gets it.
    public func readsStatus(of station: some Station) -> Asks {
        Asks(who: member, station: station.member, question: .status)
    }

    /// Asks a station for telemetry, and gets so many readings or more.
    public func readsTelemetry(of station: some Station, count: Int = 1) -> Asks {
        Asks(who: member, station: station.member, question: .telemetry(count: count))
    }

    /// Asks a repeater for its neighbours; `other` must be one of them.
    public func readsNeighbours(of station: Repeater, with other: (any Node)? = nil) -> Asks {
        Asks(who: member, station: station.member, question: .neighbours(other?.member))
    }
}

/// A node that people log in at.
public protocol Station: Node {}

extension Repeater: Station {}
extension Room: Station {}
extension Sensor: Station {}

/// A text for all members of a room.
public struct Posts: Action {
    let who: Member
    let text: String
    let room: Member

    public var sentence: String { "\(who.name) posts “\(text)” in \(room.name)" }
    public var cast: [Member] { [who, room] }
    public var subjects: [Subject] { [.text(text), .place(room.name)] }

    public func perform(on stage: Stage) async throws {
        try await stage.app(of: who).post(text, in: stage.key(of: room))
    }
}

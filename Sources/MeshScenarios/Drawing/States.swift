public import MeshBoards
import MeshCompanion
import MeshFirmware
import MeshPacket
import MeshSimulator
import MeshWire

/// A state that is worth reaching in a soak: looked for in the messages of all people.
public struct MessageState: Expectation {
    public let sentence: String
    public let cast: [Member] = []
    let isSo: @Sendable (ScenarioMessage, Member, Stage) -> Bool

    public func look(at stage: Stage) async throws -> Observation {
        for book in try await stage.books() {
            for message in book.messages where isSo(message, book.who, stage) { return .holds }
        }
        return .holdsNot("nobody's app shows it")
    }
}

/// A state of radios, looked for in those of all people.
public struct RadioState: Expectation {
    public let sentence: String
    public let cast: [Member] = []
    public let needs = Abilities.air
    let isSo: @Sendable (CompanionRadio, _ isConnected: Bool) -> Bool

    public func look(at stage: Stage) async throws -> Observation {
        for who in stage.people {
            let isConnected = await (try stage.app(of: who)).isConnected()
            let found = try await stage.withWorld { world in
                world.companion(try world.node(of: who)).map { isSo($0, isConnected) } ?? false
            }
            if found { return .holds }
        }
        return .holdsNot("no radio is like that")
    }
}

/// A text of a while that is received, or shown as delivered, only when the while is over.
public struct ArrivesAfterwards: Expectation {
    /// The name of the while in the sentence: `the partition`.
    let what: String
    let begin: Duration
    let length: Duration

    /// `what` names the while in the sentence; times count from the start of the script.
    public init(_ what: String, begin: Duration, length: Duration) {
        self.what = what
        self.begin = begin
        self.length = length
    }

    public var sentence: String { "a text that was sent in \(what) arrives after it" }
    public var cast: [Member] { [] }

    public func look(at stage: Stage) async throws -> Observation {
        let now = stage.scriptTime
        guard now >= begin else { return .holdsNot("it has not begun") }
        for book in try await stage.books() {
            for message in book.messages where !message.isReceived {
                let word = "\(what): \(book.who.name) \(message.text)"
                if now < begin + length {
                    if message.standing != .delivered { stage.memory.note(word) }
                } else if message.standing == .delivered, stage.memory.has(word) {
                    return .holds
                }
            }
        }
        return .holdsNot("none of them has arrived")
    }
}

/// A text that was sent while its recipient's app was away, and that the app has in the end.
public struct IsCaughtUp: Expectation {
    public let sentence = "an app that was away has what was sent meanwhile"
    public let cast: [Member] = []

    public init() {}

    public func look(at stage: Stage) async throws -> Observation {
        let books = try await stage.books()
        let sent = Set(books.flatMap { $0.messages.filter { !$0.isReceived }.map(\.text) })
        for book in books {
            let has = Set(book.messages.map(\.text))
            if await (try stage.app(of: book.who)).isConnected() {
                for text in has where stage.memory.has("away: \(book.who.name) \(text)") { return .holds }
            } else {
                for text in sent.subtracting(has) { stage.memory.note("away: \(book.who.name) \(text)") }
            }
        }
        return .holdsNot("nobody has")
    }
}

/// States that most meshes reach now and then.
public enum States {
    /// A text is given up.
    public static let givenUp = MessageState(sentence: "a text is given up") { message, _, _ in
        message.standing == .failed
    }
    /// A text is delivered by its second attempt.
    public static let triedAgain = MessageState(sentence: "a text is delivered by its second attempt") {
        message, _, _ in
        message.standing == .delivered && message.attempts == 2
    }
    /// A text is delivered by its third attempt or a later one.
    public static let flooded = MessageState(sentence: "a text is delivered by its third attempt or a later one") {
        message, _, _ in message.standing == .delivered && message.attempts > 2
    }
    /// A text waits in its app, since its radio is not there.
    public static let waiting = MessageState(sentence: "a text waits in its app") { message, _, _ in
        message.standing == .waiting
    }
    /// A text that was given up is confirmed after all.
    public static let confirmedLate = MessageState(sentence: "a text that was given up is confirmed after all") {
        message, who, stage in
        let word = "given up: \(who.name) \(message.text)"
        if message.standing == .failed { stage.memory.note(word) }
        return message.standing == .delivered && stage.memory.has(word)
    }
    /// An app gets a text a second time, and shows it once.
    public static let repeated = MessageState(sentence: "an app hears of a text once more") { message, _, _ in
        message.repeats > 0
    }
    /// A text comes by flood.
    public static let cameByFlood = MessageState(sentence: "a text comes by flood") { message, _, _ in
        message.isReceived && message.isFlood == true
    }
    /// A text comes along a known path.
    public static let cameByWay = MessageState(sentence: "a text comes along a known way") { message, _, _ in
        message.isReceived && message.isFlood == false
    }
    /// A post comes from a room.
    public static let postCame = MessageState(sentence: "a post comes from a room") { message, _, _ in
        if case .room = message.thread { message.isReceived } else { false }
    }
    /// A post does not reach its room.
    public static let postFailed = MessageState(sentence: "a post does not reach its room") { message, _, _ in
        if case .room = message.thread { message.standing == .failed } else { false }
    }
    /// Texts wait in a radio whose app is away.
    public static let heldByRadio = RadioState(sentence: "texts wait in a radio whose app is away") {
        radio, isConnected in !isConnected && radio.offlineQueue.count > 0
    }
    /// Four texts wait in one radio.
    public static let piledUp = RadioState(sentence: "four texts wait in one radio") { radio, _ in
        radio.offlineQueue.count > 3
    }
    /// A radio knows a path over two repeaters or more.
    public static let wayLearnt = RadioState(sentence: "a radio knows a way over two repeaters or more") { radio, _ in
        radio.contacts.listed.contains { $0.outPathLength != .unknown && $0.outPathLength.hopCount > 1 }
    }

    /// Those of direct texts.
    public static let ofTexts: [Rule] = [
        sometimes(givenUp), sometimes(triedAgain), sometimes(flooded), sometimes(confirmedLate), sometimes(repeated),
        sometimes(cameByFlood), sometimes(cameByWay),
    ]
}

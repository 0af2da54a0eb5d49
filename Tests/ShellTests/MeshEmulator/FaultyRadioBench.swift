import MeshBluetoothHost
import MeshFirmware
import MeshTime

@testable import MeshEmulator

/// A radio with faults and our own central within reach of each other, on virtual time; the user tries again.
///
/// The radio answers each frame with as many values as the frame's first byte says. A session dials, writes two frames,
/// awaits what answers them, and hangs up.
struct FaultyRadioBench {
    /// The outcome of one session.
    enum Outcome: Hashable {
        case worked
        /// The link did not come about, or ended before its time.
        case ended(BluetoothCentral.Failure)
        /// The frames were not answered as they should have been: as many values came.
        case answered(Int)
    }

    /// The answers to the first frame of a session, and to the second.
    static let answers = [3, 1]
    /// The bytes of each answer, more than a notification of the shortest MTU has.
    static let answerSize = 60

    private(set) var radio: RadioInRange
    private(set) var now = Instant.start
    /// Changes between sessions: what the user types.
    var passkey: UInt32? = 123_456
    private let traits: BluetoothTraits
    private var central: BluetoothCentral?
    private var random = Seed(41).stream("phone")
    /// The values of TX in this session, and what else the central put out.
    private(set) var values: [[UInt8]] = []
    private(set) var ending: BluetoothCentral.Failure?
    private(set) var mtu: Int?
    /// Inputs of the node.
    private(set) var inputs: [NodeInput.App] = []
    /// The names under which the radio was heard, and its addresses.
    private(set) var heard: [BluetoothHost.Advertiser] = []

    init(_ traits: BluetoothTraits = .nrf52, lossPerTenThousand: UInt16 = 0) {
        self.traits = traits
        let addresses = [1, 2].map { BluetoothAddress(number: $0, isRandom: false) }
        var settings = AirSettings()
        settings.lossPerTenThousand = lossPerTenThousand
        radio = RadioInRange(
            Self.identity(traits), controllers: addresses.map { ControllerDescription(address: $0) },
            settings: settings, seed: Seed(40), random: Seed(40).stream("radio"), at: .start)
    }

    static func identity(_ traits: BluetoothTraits) -> RadioIdentity {
        RadioIdentity(
            traits: traits, name: Array("alice".utf8), pin: 123_456,
            address: BluetoothAddress(number: 0xC0FF_EE00_0001, isRandom: true))
    }

    // MARK: Faults

    mutating func arm(_ fault: BluetoothFault, number: Int = 1) throws(BluetoothFaultLedger.Refusal) {
        try radio.arm(fault, number: number)
    }

    mutating func disarm(_ number: Int = 1) { _ = radio.disarm(number, at: now) }

    /// The effects of a fault so far.
    func count(_ number: Int = 1) -> FaultCount { radio.faults.entry(number)?.count ?? FaultCount() }

    /// The board starts anew, after a restart or without power in between.
    mutating func reboot(losingPower: Bool) {
        if losingPower { radio.losePower(at: now) } else { radio.restart(at: now) }
        pass(.seconds(10))
        radio.boot(as: Self.identity(traits), at: now)
        pass(.seconds(2))
    }

    // MARK: Sessions

    /// Tries sessions until one works, a minute apart; the outcomes, the last of which is the one that worked.
    mutating func sessions(atMost most: Int = 6) -> [Outcome] {
        var outcomes: [Outcome] = []
        repeat {
            outcomes.append(session())
            pass(.seconds(60))
        } while outcomes.last != .worked && outcomes.count < most
        return outcomes
    }

    mutating func session() -> Outcome {
        dial()
        run(for: .seconds(100)) { $0.mtu != nil || $0.ending != nil }
        guard mtu != nil, ending == nil else { return end() }
        for count in Self.answers {
            let before = values.count
            guard write([UInt8(count)]) else { return end() }
            let wanted = before + count * parts
            run(for: .seconds(40)) { $0.values.count >= wanted || $0.ending != nil }
            guard values.count == wanted, ending == nil else { return end() }
        }
        hangUp()
        return values.allSatisfy { !$0.isEmpty } ? .worked : .answered(values.count)
    }

    /// The values that one answer comes in.
    private var parts: Int {
        guard traits.splitsFrames, let mtu else { return 1 }
        return (Self.answerSize + mtu - 4) / (mtu - 3)
    }

    /// Ends what is left of a session.
    private mutating func end() -> Outcome {
        let failure = ending
        let count = values.count
        if failure == nil { hangUp() }
        return failure.map(Outcome.ended) ?? .answered(count)
    }

    mutating func dial() {
        (values, ending, mtu, heard) = ([], nil, nil, [])
        var central = BluetoothCentral(.name("MeshCore-alice"), passkey: passkey, known: central?.known ?? [])
        let outputs = central.start(at: now, random: &random)
        self.central = central
        perform(outputs)
    }

    mutating func hangUp() {
        perform(central?.hangUp(at: now, random: &random) ?? [])
        run(for: .seconds(10)) { $0.ending != nil }
    }

    /// Writes a frame; false when the central does not take it.
    mutating func write(_ frame: [UInt8], withResponse: Bool = true) -> Bool {
        guard
            let outputs = try? central?.send(frame, withResponse: withResponse, at: now, random: &random)
        else { return false }
        perform(outputs)
        return true
    }

    /// A frame that the node sends of its own accord.
    mutating func notify(_ frame: [UInt8]) { radio.notify(frame, at: now) }

    // MARK: Time

    mutating func pass(_ span: TimeSpan) { run(for: span) { _ in false } }

    /// Lets time pass until something is the case.
    mutating func run(for span: TimeSpan, until isOver: (FaultyRadioBench) -> Bool) {
        let end = now + span
        attend()
        while !isOver(self) {
            let next = [radio.deadline, central?.deadline].compactMap { $0 }.min() ?? .never
            guard next <= end else {
                now = end
                return
            }
            now = max(now, next)
            attend()
        }
    }

    private mutating func attend() {
        while true {
            if let outcome = radio.next(at: now) {
                switch outcome {
                case .packet(let packet): perform(central?.receive(packet, at: now, random: &random) ?? [])
                case .node(let input): take(input)
                }
            } else if let deadline = central?.deadline, deadline <= now {
                perform(central?.expire(at: now, random: &random) ?? [])
            } else {
                return
            }
        }
    }

    private mutating func take(_ input: NodeInput.App) {
        inputs.append(input)
        guard case .bytes(let frame) = input, let count = frame.first else { return }
        for number in 0..<count { radio.notify([number] + Array(repeating: 0x55, count: Self.answerSize - 1), at: now) }
    }

    private mutating func perform(_ outputs: [BluetoothCentral.Output]) {
        for output in outputs {
            switch output {
            case .send(let packet): radio.receive(packet, at: now)
            case .ready(let size): mtu = size
            case .frame(let value): values.append(value)
            case .ended(let failure): ending = failure
            case .found(let advertiser): heard.append(advertiser)
            case .hasRoom, .notWritten, .pinWanted, .keep, .note: break
            }
        }
    }
}

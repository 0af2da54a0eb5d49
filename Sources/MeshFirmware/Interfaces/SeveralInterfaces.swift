import MeshTime

/// Several links to apps at the same time, which are one to the radio: the firmware's `MultiSerialInterface`.
///
/// The radio does not know who has asked. Each frame that it writes goes to every link, and each link loses what finds
/// its own queue full. In a pass the links are polled in the firmware's order until one has a frame: those behind it
/// neither send nor read then. One client makes it connected, and one busy link lets a contact listing wait. Source:
/// FirmwareVersions, FWV-203; firmware, `MultiSerialInterface` and `main.cpp` of companion_radio.
///
/// ```
/// app 0 --\                      /--> app 0
/// app 1 ---- one frame a pass ---- each frame of the radio --> app 1
/// ```
public struct SeveralInterfaces: Sendable {
    /// `MAX_INTERFACES`: the links that a build can have.
    public static let most = 4

    /// By their numbers; the first one is that of a radio with a single interface.
    private var links: [AppInterface]
    /// Numbers of the links in the order in which the firmware polls them.
    private let order: [Int]

    /// As many links as a build can have at most; further ones are left out. None of them has links of its own.
    public init(_ links: [AppInterface]) {
        self.links = Array(links.prefix(Self.most))
        let ranks = self.links.map(\.rank)
        order = ranks.indices.sorted { (ranks[$0], $0) < (ranks[$1], $1) }
    }

    var count: Int { links.count }
    var isConnected: Bool { links.contains(where: \.isConnected) }
    var isStream: Bool { links.allSatisfy(\.isStream) }
    /// Numbers of the links whose clients are hung up on when they are disabled.
    var hangingUp: [Int] { links.indices.filter { !links[$0].isStream } }

    func isBusy(at now: Instant) -> Bool { links.contains { $0.isBusy(at: now) } }

    func nextTurn(isListing: Bool, at now: Instant) -> Instant {
        links.reduce(.never) { min($0, $1.nextTurn(isListing: isListing, at: now)) }
    }

    func hasWork(at now: Instant) -> Bool { links.contains { $0.hasWork(at: now) } }

    func window(at number: Int) -> Int { links.indices.contains(number) ? links[number].window : 0 }

    mutating func limit(frames limit: Int) {
        for number in links.indices { links[number].limit(frames: limit) }
    }

    /// Changes the link of a number; `nil` for a number that no link has.
    mutating func change<R>(_ number: Int, _ body: (inout AppInterface) -> R) -> R? {
        links.indices.contains(number) ? body(&links[number]) : nil
    }

    mutating func write(_ frame: [UInt8], into output: inout [NodeEffect]) {
        for number in order {
            let first = output.count
            links[number].write(frame, into: &output)
            address(&output, from: first, number)
        }
    }

    mutating func poll(at now: Instant, into output: inout [NodeEffect]) -> [UInt8]? {
        for number in order {
            let first = output.count
            let frame = links[number].poll(at: now, into: &output)
            address(&output, from: first, number)
            if let frame { return frame }
        }
        return nil
    }

    mutating func disable() {
        for number in links.indices { links[number].disable() }
    }

    private func address(_ output: inout [NodeEffect], from first: Int, _ number: Int) {
        guard number > 0 else { return }
        for index in output.indices.dropFirst(first) { output[index] = output[index].at(number) }
    }
}

extension AppInterface {
    /// The place in the order in which the firmware registers interfaces: Bluetooth, Wi-Fi, USB, Ethernet.
    fileprivate var rank: Int {
        switch self {
        case .frames: 0
        case .wifi: 1
        case .serial: 2
        case .ethernet: 3
        case .none, .several: 4
        }
    }
}

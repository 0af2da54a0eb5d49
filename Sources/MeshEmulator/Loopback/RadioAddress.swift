package import MeshCore
package import MeshLinks
import MeshSimulator
import MeshTime
package import MeshTransports

/// Where a radio is, for programs that carry a world: at a link, or in this process.
///
/// As text it is what `LinkAddress` reads for a radio, or `loopback:WORLD/NODE?seed=NUMBER&link=LINK`.
package enum RadioAddress: Hashable, Sendable {
    /// A radio at the other end of a TCP connection, a serial line or a Bluetooth link.
    case link(LinkAddress)
    /// A radio of a world of its own in this process; seed 1 unless given.
    case loopback(world: String, node: String, seed: UInt64, link: LoopbackLink = .direct)

    /// Reads an address as users type it; throws when it is none.
    package init(_ text: some StringProtocol) throws(LinkError) {
        let text = String(text)
        if text.hasPrefix("loopback:") {
            self = try Self.loopback(text.dropFirst("loopback:".count), in: text)
        } else {
            self = .link(try LinkAddress(radio: text, expecting: Self.formList))
        }
    }

    private static let formList = LinkAddress.radioFormList + ["loopback:WORLD/NODE"]
    /// What an address can look like, in a sentence.
    package static let forms = LinkAddress.sentence(formList)

    private static func loopback(_ rest: Substring, in text: String) throws(LinkError) -> RadioAddress {
        let mark = rest.lastIndex(of: "?")
        let parts = rest[..<(mark ?? rest.endIndex)].split(separator: "/", omittingEmptySubsequences: false).map(
            String.init)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
            throw .badAddress(text, reason: "expected loopback:WORLD/NODE, as in loopback:pair/alice")
        }
        guard WorldDescription.all.contains(where: { $0.name == parts[0] }) else {
            let names = WorldDescription.all.map(\.name)
            throw .badAddress(text, reason: "there is no world \"\(parts[0])\", only \(names)")
        }
        var (seed, link) = (UInt64(1), LoopbackLink.direct)
        for option in mark.map({ rest[$0...].dropFirst().split(separator: "&", omittingEmptySubsequences: false) })
            ?? []
        {
            if option.hasPrefix("seed=") {
                guard let number = UInt64(option.dropFirst("seed=".count)) else {
                    throw .badAddress(text, reason: "the seed is not a whole number")
                }
                seed = number
            } else if option.hasPrefix("link=") {
                guard let named = LoopbackLink(rawValue: String(option.dropFirst("link=".count))) else {
                    throw .badAddress(
                        text,
                        reason: "there is no link \"\(option.dropFirst("link=".count))\", only \(LoopbackLink.names)")
                }
                link = named
            } else {
                throw .badAddress(text, reason: "\"\(option)\" is no option, expected seed=NUMBER or link=LINK")
            }
        }
        return .loopback(world: parts[0], node: parts[1], seed: seed, link: link)
    }

    /// A transport to the radio there, not yet connected.
    ///
    /// A world that a loopback needs is made for it and runs on the clock. Other links are on real time, and throw when
    /// they are connected; they are read on the thread of the executor where there is one.
    package func transport(
        clock: any Clock<Duration>, on executor: StackExecutor? = nil
    ) async throws(MeshTransportError) -> any MeshTransport {
        switch self {
        case .link(let address): return StreamTransport(address, on: executor)
        case .loopback(let name, let node, let seed, let link):
            guard var description = WorldDescription.all.first(where: { $0.name == name }) else {
                throw .deviceNotFound("world \(name)")
            }
            let bluetooth = link.prepare(&description, seed: Seed(seed))
            let world = LoopbackWorld(World(description, seed: Seed(seed)), clock: clock, bluetooth: bluetooth)
            return try await world.transport(to: node)
        }
    }
}

extension RadioAddress: CustomStringConvertible {
    package var description: String {
        switch self {
        case .link(let address): "\(address)"
        case .loopback(let world, let node, let seed, let link):
            "loopback:\(world)/\(node)?seed=\(seed)" + (link == .direct ? "" : "&link=\(link.rawValue)")
        }
    }
}

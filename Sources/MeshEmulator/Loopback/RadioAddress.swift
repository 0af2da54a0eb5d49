package import MeshCore
import MeshSimulator
import MeshTime
package import MeshTransports
import MeshWorlds

/// Place of a radio, for programs that carry a world: at a link, or in this process.
///
/// As text it is what `LinkAddress` reads for a radio, or `loopback:WORLD/NODE?seed=NUMBER&link=LINK`. A world is a
/// shape or a file, as for `meshbed mesh run`.
package enum RadioAddress: Hashable, Sendable {
    /// A radio at the other end of a TCP connection, a serial line or a Bluetooth link.
    case link(LinkAddress)
    /// A radio of a world of its own in this process; seed 1 unless given.
    case loopback(world: String, node: String, seed: UInt64, link: LoopbackLink = .direct)

    /// Reads an address as users type it, also one without its scheme; throws when it is none.
    package init(_ text: some StringProtocol) throws(LinkError) {
        let text = LinkAddress.completed(String(text))
        if text.hasPrefix("loopback:") {
            self = try Self.loopback(text.dropFirst("loopback:".count), in: text)
        } else {
            self = .link(try LinkAddress(radio: text, expecting: Self.formList))
        }
    }

    private static let formList = LinkAddress.radioFormList + ["loopback:WORLD/NODE"]
    /// The forms of an address, in a sentence.
    package static let forms = LinkAddress.sentence(formList)

    private static func loopback(_ rest: Substring, in text: String) throws(LinkError) -> RadioAddress {
        let mark = rest.lastIndex(of: "?")
        let place = rest[..<(mark ?? rest.endIndex)]
        // The path of a world file has slashes of its own; the name of a node has none.
        guard let slash = place.lastIndex(of: "/"), slash != place.startIndex,
            place.index(after: slash) != place.endIndex
        else {
            throw .badAddress(text, reason: "expected loopback:WORLD/NODE, as in loopback:pair/alice")
        }
        let (world, node) = (String(place[..<slash]), String(place[slash...].dropFirst()))
        do { try WorldSource.check(world) } catch { throw .badAddress(text, reason: "\(error)") }
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
        return .loopback(world: world, node: node, seed: seed, link: link)
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
            let source: WorldSource
            do { source = try WorldSource(name, seed: Seed(seed)) } catch { throw .deviceNotFound("\(error)") }
            if let label = source.plan.topology.externalNodes.first {
                throw .deviceNotFound("node \"\(label)\" of \(name) is external, and has no program here")
            }
            var description = source.world
            let bluetooth = link.prepare(&description, seed: Seed(seed))
            var made = World(description, seed: Seed(seed))
            var people: MeshPeople?
            if !source.plan.traffic.rules.isEmpty {
                let foreign = [made.node(labelled: node)].compactMap(\.self)
                people = MeshPeople(source.plan, seed: Seed(seed), span: nil, in: &made, foreign: foreign)
            }
            let world = LoopbackWorld(made, clock: clock, bluetooth: bluetooth, people: people)
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

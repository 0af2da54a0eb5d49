import MeshSimulator
package import MeshTransports

/// Address of a real radio, with the node in whose place it is: `alice=serial:/dev/ttyUSB0`.
package struct AntennaPlace: Hashable, Sendable, CustomStringConvertible {
    /// The node's name in its world.
    package let label: String
    /// The radio.
    package let address: LinkAddress

    /// Reads `NODE=RADIO`; throws when a part is missing or the radio has no address.
    package init(_ text: some StringProtocol) throws(LinkError) {
        guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
            throw .badAddress(String(text), reason: "expected NODE=RADIO, as in alice=serial:/dev/ttyUSB0")
        }
        label = String(text[..<equals])
        address = try LinkAddress(radio: text[text.index(after: equals)...])
    }

    package var description: String { "\(label)=\(address.brief)" }
}

extension Emulator.Configuration {
    /// The nodes whose apps are not the world's own people.
    var takenNodes: [String] { endpoints.map(\.label) + antennas.map(\.label) }

    /// Puts antennas in the places of nodes.
    func placeAntennas(in world: inout WorldDescription) throws(EmulatorError) {
        for (position, antenna) in antennas.enumerated() {
            guard let index = world.nodes.firstIndex(where: { $0.label == antenna.label }) else {
                throw .unknownNode(antenna.label, known: world.nodes.map(\.label))
            }
            let others = endpoints.map(\.label) + antennas[..<position].map(\.label)
            guard !others.contains(antenna.label) else { throw .secondEndpoint(label: antenna.label) }
            guard pace == .clock(speed: 1) else { throw .heldAntenna(label: antenna.label) }
            let address = antenna.address.brief
            world.nodes[index].role = .guest { _ in AntennaNode(address: address) }
        }
    }
}

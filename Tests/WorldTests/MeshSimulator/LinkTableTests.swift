import MeshFirmware
import MeshSimulator
import MeshTime
import Testing

@Suite struct `Link tables` {
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `links can be made, changed and cut in any order`(seed: UInt64) {
        var random = Seed(seed).stream("links")
        var world = World(seed: Seed(1))
        for index in 0..<12 { world.add(NodeDescription("n\(index)", .repeater)) }
        var model: [Int: AirLink] = [:]
        for _ in 0..<600 {
            let (from, to) = (Int(random.draw(0, 12)), Int(random.draw(0, 12)))
            let link: AirLink? =
                random.draw(0, 3) == 0
                ? nil
                : AirLink(
                    Signal(snrHundredths: Int16(random.draw(0, 900)), rssiHundredths: -8000),
                    lossPerTenThousand: UInt16(random.draw(0, 9)))
            world.links[link: NodeID(index: from), NodeID(index: to)] = link
            model[from * 12 + to] = link
            if random.draw(0, 50) == 0 {
                world.links.disconnect(NodeID(index: to))
                for other in 0..<12 {
                    model[to * 12 + other] = nil
                    model[other * 12 + to] = nil
                }
            }
        }
        for from in world.nodes {
            let listeners = world.nodes.filter { model[from.index * 12 + $0.index] != nil }
            #expect(world.links.listeners(of: from) == listeners, "seed \(seed)")
            for to in world.nodes { #expect(world.links[link: from, to] == model[from.index * 12 + to.index]) }
        }
        #expect(world.links.linkCount == model.count)
    }
}

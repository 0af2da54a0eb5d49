import MeshFirmware
import MeshSimulator
import MeshTime
import Testing

@Suite struct MapTests {
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `maps of a seed are the same again, hang together and have nobody twice`(seed: UInt64) {
        for (one, again) in [
            (Topology.random(40, seed: Seed(seed)), Topology.random(40, seed: Seed(seed))),
            (.city(80, seed: Seed(seed)), .city(80, seed: Seed(seed))),
        ] {
            #expect(one == again)
            #expect(one.isConnected)
            #expect(Set(one.nodes.map(\.label)).count == one.nodes.count)
            #expect(one.nodes.contains { $0.label == "alice" && $0.role == .companion })
            #expect(one.nodes.contains { $0.label == "bob" && $0.role == .companion })
            #expect(Set(one.links.map { [$0.from, $0.to] }).count == one.links.count, "two links of one pair")
            #expect(one.links.allSatisfy { $0.from < $0.to && $0.there == $0.back })
        }
    }

    @Test func `another seed gives another map`() {
        #expect(Topology.random(20, seed: Seed(1)) != Topology.random(20, seed: Seed(2)))
        #expect(Topology.city(20, seed: Seed(1)) != Topology.city(20, seed: Seed(2)))
    }

    @Test func `a random mesh has about eight neighbours however many nodes it has`() {
        for count in [50, 200, 800] {
            let links = Topology.random(count, seed: Seed(7)).links.count
            #expect((5...13).contains(2 * links / count), "\(2 * links / count) neighbours at \(count)")
        }
    }

    @Test func `a town has a repeater for every quarter and companions that mostly reach it`() {
        let town = Topology.city(300, seed: Seed(3))
        let repeaters = town.nodes.filter { $0.role == .repeater }.count
        let lists = town.linksByNode

        #expect(repeaters == 57)
        let served = town.nodes.indices.filter { index in
            town.nodes[index].role == .companion
                && lists[index].contains { link in
                    let other = town.links[link].from == index ? town.links[link].to : town.links[link].from
                    return town.nodes[other].role == .repeater
                }
        }
        #expect(served.count > 230)
    }

    @Test func `a signal falls by 35 dB over ten times the distance, and pairs share their shadowing`() {
        var propagation = Propagation.town
        propagation.shadowingHundredths = 0
        propagation.strongestHundredths = 10_000
        propagation.weakestHundredths = -10_000
        var map = Topology(name: "far")
        map.nodes = [1000, 10_000].enumerated().reduce(into: [Topology.Node("o", .repeater, at: Place())]) {
            $0.append(Topology.Node("n\($1.offset)", .repeater, at: Place(eastMetres: Int32($1.element))))
        }
        map.link(propagation, seed: Seed(1))

        #expect(map.links[0].there == Signal(snrHundredths: 1400, rssiHundredths: -10_600))
        #expect(map.links[1].there == Signal(snrHundredths: -2100, rssiHundredths: -14_100))
    }

    @Test func `a further node changes nobody's links`() {
        let places = (0..<12).map { Place(eastMetres: Int32($0 % 4) * 900, northMetres: Int32($0 / 4) * 900) }
        func map(_ count: Int) -> Topology {
            var map = Topology(name: "map")
            map.nodes = places.prefix(count).enumerated().map {
                Topology.Node("n\($0.offset)", .repeater, at: $0.element)
            }
            map.link(seed: Seed(5))
            return map
        }

        let few = map(11).links
        #expect(map(12).links.filter { $0.to < 11 } == few)
        #expect(!few.isEmpty)
    }

    @Test func `a link is left out where its SNR is below what the spreading factor decodes`() {
        var propagation = Propagation.town
        propagation.shadowingHundredths = 0
        var map = Topology(name: "far")
        map.nodes = [
            Topology.Node("a", .repeater, at: Place()), Topology.Node("b", .repeater, at: Place(eastMetres: 4_850)),
            Topology.Node("c", .repeater, at: Place(northMetres: 4_800)),
        ]
        map.link(propagation, seed: Seed(1))

        #expect(map.links.map { [$0.from, $0.to] } == [[0, 2]])
    }
}

extension Place {
    fileprivate init(eastMetres: Int32 = 0) { self.init(eastMetres: eastMetres, northMetres: 0) }
    fileprivate init(northMetres: Int32) { self.init(eastMetres: 0, northMetres: northMetres) }
}

import Testing

@testable import MeshStudy

struct FloodMetricsTests {
    /// Five adverts of node 0 at observers 8 and 9: paths, and seconds after each advert.
    private func log() -> FloodLog {
        var log = FloodLog()
        for number in 0..<5 {
            let packet = log.open(FloodLog.Packet(origin: 0, isAdvert: true))
            let start = Double(number) * 100
            func hear(_ observer: Int, _ path: [UInt8], _ time: Double) {
                log.append(FloodLog.Reception(packet: packet, observer: observer, path: path, time: start + time))
            }
            hear(8, [1], 1)
            hear(8, [1], 1.5)
            hear(8, [1, 2], 3)
            // The last flood takes a way round.
            hear(9, number == 4 ? [1, 2, 3] : [1, 2], number == 4 ? 5 : 3)
        }
        return log
    }

    @Test func `a path that an observer has heard counts once`() {
        let metrics = FloodMetrics(log(), origins: [0], least: 2)

        #expect(metrics.values["copiesPerObserver"] == [2, 1, 2, 1, 2, 1, 2, 1, 2, 1])
        #expect(metrics.values["receptionsPerPacket"] == [3, 3, 3, 3, 3])
    }

    @Test func `first, longest and all copies are different`() {
        let metrics = FloodMetrics(log(), origins: [0], least: 2)

        #expect(metrics.values["hops.firstPerObserver"] == [1, 2, 1, 2, 1, 2, 1, 2, 1, 3])
        #expect(metrics.values["hops.longest"] == [2, 2, 2, 2, 3])
        #expect(metrics.values["hops.allReceptions"]?.count == 15)
        #expect(metrics.values["hops.longestOverFirst"]?.last == 1.5)
    }

    @Test func `stretch of an origin is over the fewest hops of all its adverts`() {
        let metrics = FloodMetrics(log(), origins: [0], least: 2)

        #expect(metrics.values["stretch.sameOrigin"] == [1, 1, 1, 1, 1, 1, 1, 1, 1, 1.5])
        #expect(metrics.values["stretch.samePacket"] == [Double](repeating: 1, count: 10))
    }

    @Test func `seconds per hop is the slope over the earliest of each length`() {
        let metrics = FloodMetrics(log(), origins: [0], least: 2)

        // Hops 1, 2, 3 at seconds 1, 3, 5.
        #expect(metrics.values["secondsPerHop"] == [2, 2, 2, 2, 2])
        #expect(metrics.values["floodSpreadSeconds"] == [2, 2, 2, 2, 4])
        #expect(metrics.values["relayGapSeconds"] == [2, 2, 2, 2, 2, 2])
    }

    @Test func `floods with too few receptions, and those of others, are not measured`() {
        #expect(FloodMetrics(log(), origins: [0], least: 4).values["hops.firstPerObserver"] == nil)
        #expect(FloodMetrics(log(), origins: [7], least: 2).values["hops.firstPerObserver"] == nil)
        #expect(FloodMetrics(log(), origins: [7], least: 2).values["hops.longest"]?.count == 5)
    }

    @Test func `pairs with less than five adverts have no stretch of the origin`() {
        var log = FloodLog()
        for number in 0..<4 {
            let packet = log.open(FloodLog.Packet(origin: 0, isAdvert: true))
            log.append(FloodLog.Reception(packet: packet, observer: 8, path: [1], time: Double(number)))
            log.append(FloodLog.Reception(packet: packet, observer: 9, path: [1], time: Double(number)))
        }

        #expect(FloodMetrics(log, origins: [0], least: 2).values["stretch.sameOrigin"] == nil)
    }
}

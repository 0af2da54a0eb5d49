import MeshSimulator
import MeshTestSupport
import MeshVirtualTime
import Observation
import StackTestSupport
import Synchronization
import Testing

@testable import PocketMeshServices

/// The grade of the way into the mesh, by its thresholds.
@Suite struct LinkQualityTests {
    private func quality(_ change: (inout LinkQuality) -> Void) -> LinkQuality {
        var thresholds = LinkQuality.Thresholds()
        thresholds.readings = 1
        var quality = LinkQuality(thresholds: thresholds)
        change(&quality)
        return quality
    }

    @Test(arguments: [
        (-80.0, LinkQuality.Grade.good), (-115, .good), (-115.1, .degraded), (-125, .degraded), (-125.1, .poor),
    ])
    func `signal strength has its limits`(rssi: Double, grade: LinkQuality.Grade) {
        let quality = quality { $0.note(rssi: rssi) }

        #expect(quality.grade == grade)
        #expect(quality.causes == (grade == .good ? [] : [.weakSignal]))
    }

    @Test(arguments: [
        (9.0, LinkQuality.Grade.good), (-5, .good), (-5.25, .degraded), (-12, .degraded), (-12.25, .poor),
    ])
    func `SNR has its limits`(snr: Double, grade: LinkQuality.Grade) {
        let quality = quality { $0.note(snr: snr) }

        #expect(quality.grade == grade)
        #expect(quality.causes == (grade == .good ? [] : [.noise]))
    }

    @Test(arguments: [
        (0, LinkQuality.Grade.unknown), (2, .unknown), (3, .degraded), (5, .degraded), (6, .poor), (9, .poor),
    ])
    func `messages that nobody confirms have their limits, and one confirmation ends them`(
        count: Int, grade: LinkQuality.Grade
    ) {
        var quality = quality { quality in for _ in 0..<count { quality.noteTimeout() } }

        #expect(quality.grade == grade)
        #expect(quality.causes == (grade > .good ? [.timeouts] : []))
        quality.noteAnswer(after: .seconds(2))
        #expect(quality.grade == .good && quality.timeouts == 0)
        quality.noteAnswer(after: .seconds(30))
        #expect(quality.grade == .degraded && quality.causes == [.slowAnswers])
    }

    @Test func `the worst quantity counts, and all causes are named`() {
        let quality = quality {
            $0.note(rssi: -120)
            $0.note(snr: -13)
            $0.noteAnswer(after: .seconds(1))
        }

        #expect(quality.grade == .poor)
        #expect(quality.causes == [.weakSignal, .noise])
        #expect(LinkQuality().grade == .unknown && LinkQuality().causes.isEmpty)
    }

    @Test func `a grade gets better only above its limit by the hysteresis`() {
        var quality = quality { $0.note(snr: -13) }
        var grades: [LinkQuality.Grade] = []
        for snr in [-11, -10, -4, -3, -5, -5.5] {
            quality.note(snr: snr)
            grades.append(quality.grade)
        }

        #expect(grades == [.poor, .degraded, .degraded, .good, .good, .degraded])
    }

    @Test func `one bad packet in five changes nothing, and what is no number counts for nothing`() {
        var quality = LinkQuality()
        for snr in [8.0, 8, 8, 8, -14, .nan, .infinity] { quality.note(snr: snr) }

        #expect(quality.grade == .good && quality.meanSNR == 3.6)
        for _ in 0..<4 { quality.note(snr: -14) }
        #expect(quality.grade == .poor && quality.meanSNR == -14)
        #expect(quality.meanRSSI == nil)
    }

    /// Events come by the thousand while a queue is emptied.
    @Test func `a change is told once, until somebody has read the quality again`() {
        var readings = LinkReadings()
        func changes() -> Int {
            [8.0, -14, 8, -14].reduce(0) { told, snr in
                (0..<5).reduce(told) { told, _ in told + (readings.note(.radioHeard(rssi: -80, snr: snr)) ? 1 : 0) }
            }
        }

        #expect(changes() == 0, "nobody waits")
        #expect(readings.read().grade == .poor)
        #expect(changes() == 1)
        #expect(changes() == 0)
        #expect(readings.read().grade == .poor)
        #expect(changes() == 1)
    }

    @MainActor @Test func `an observer learns of a change, and then reads the latest quality`() async throws {
        let events = StackEvents()
        let watch = LinkQualityWatch(events)
        for snr in [8.0, -14, 8] {
            let isTold = Mutex(false)
            let before = withObservationTracking {
                watch.quality.grade
            } onChange: {
                isTold.withLock { $0 = true }
            }
            for _ in 0..<5 { events.emit(.radioHeard(rssi: -80, snr: snr)) }
            while !isTold.withLock({ $0 }) { await Task.yield() }

            #expect(watch.quality.grade == (snr > 0 ? .good : .poor) && watch.quality.grade != before)
        }
    }

    @Test(arguments: everyOrder)
    func `attempts that nobody confirms degrade the link of a stack, and a confirmation mends it`(
        order: VirtualTime.Order
    ) throws {
        let grades = try withStack(order: order) { bench in
            let bob = try await bench.mesh.app("bob")
            try await bench.manager.connect(endpoint: StackBench.endpoint)
            let contact = try await bench.meet(bob)
            let container = try await bench.required(bench.manager.container)
            var grades: [LinkQuality.Grade] = []
            for isThere in [true, false, true] {
                if !isThere { await bench.withWorld("bob") { $0.powerOff($1) } }
                if isThere, !grades.isEmpty { await bench.withWorld("bob") { $0.powerOn($1) } }
                try await bench.clock.sleep(for: .seconds(5))
                _ = try? await container.messageService.sendMessageWithRetry(text: "hello \(grades)", to: contact)
                try await bench.clock.sleep(for: .seconds(1))
                grades.append(await bench.manager.linkQuality.grade)
            }
            return grades
        }

        #expect(grades == [.good, .degraded, .good])
    }
}

package import MeshBoards
package import MeshRadio
package import MeshTime
package import MeshTransports

/// A companion radio with an owner as the antenna of a tester.
///
/// It sends packets of up to 174 bytes as they are, before all others in its queue, and listens first. It reports those
/// of up to 173 bytes that it hears, and is put back at the end. Source: firmware 1.17.1, `CMD_SEND_RAW_PACKET`,
/// `PUSH_CODE_LOG_RX_DATA`.
package final class CompanionAntenna {
    /// A packet from the air, and when the radio reported it, by the clock of the wall.
    package struct Report: Sendable {
        package let packet: [UInt8]
        package let time: ContinuousClock.Instant
    }

    private let radio: PeerRadio
    private var reports: [Report] = []

    package init(_ address: LinkAddress) {
        radio = PeerRadio(address, of: Target(address), keptIn: nil)
    }

    package var title: String { radio.title }

    /// Reaches the radio, and learns what will have to be put back; nothing is changed yet.
    package func reach() throws(ComplianceRun.Problem) -> LoRaParameters {
        do {
            try radio.reach()
        } catch let nothing as NoRadio {
            throw ComplianceRun.Problem(description: "the antenna \(title) \(nothing)")
        } catch let failure as Failure {
            throw ComplianceRun.Problem(
                description: "the antenna \(title) cannot be used, as it does not tell its settings: \(failure)")
        } catch {
            throw ComplianceRun.Problem(description: "the antenna \(title): \(error)")
        }
        return radio.parameters
    }

    /// Sets the radio up: it adds nobody by itself, and rests no longer than the air wants.
    package func prepare() throws(TargetError) {
        do {
            try radio.prepare(restsAfterSending: false)
        } catch {
            throw radio.lost(error)
        }
    }

    /// Sends a packet, and returns when it has left: by the radio's own count, in so much time at most.
    package func send(_ packet: [UInt8], within span: TimeSpan) throws(TargetError) {
        let before = try sentCount()
        try radio.send(packet: packet)
        let end = ContinuousClock.now + .microseconds(span.microseconds)
        repeat {
            try collect(within: .zero)
            guard try sentCount() == before else { return }
        } while ContinuousClock.now < end
        throw radio.lost(Silence(description: "a packet that it took has not left within \(span.milliseconds) ms"))
    }

    /// The reason why a packet did not leave.
    private struct Silence: Error, CustomStringConvertible {
        let description: String
    }

    /// The number of packets that the radio has sent since it started.
    private func sentCount() throws(TargetError) -> UInt32 {
        do {
            let count = try radio.probe.ask("38 02", "18 02 received4 sent4 rest…").number("sent")
            radio.probe.forgetWaiting()
            return count
        } catch {
            throw radio.lost(error)
        }
    }

    /// Notes what the radio has reported, with the time at which it was read.
    private func collect(within span: TimeSpan) throws(TargetError) {
        var span = span
        while let packet = try radio.heard(within: span) {
            reports.append(Report(packet: packet, time: .now))
            span = .zero
        }
    }

    /// The next packet that it has heard; `nil` when there is none within a span of the wall.
    package func heard(within span: TimeSpan) throws(TargetError) -> Report? {
        if reports.isEmpty { try collect(within: span) }
        return reports.isEmpty ? nil : reports.removeFirst()
    }

    /// Puts everything back; what was not put back, a line each.
    package func restore() -> [String] {
        defer { radio.close() }
        return radio.restore()
    }
}

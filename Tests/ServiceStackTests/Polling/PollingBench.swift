import Foundation
import MeshCompanion
import MeshCore
import MeshWire
import PocketMeshServices
import StackTestSupport

/// A polling service, with notes of the messages that it delivers.
struct PollingBench: Sendable {
    let service: MessagePollingService
    let handed = Notes<String>()
    let arrivals = Notes<MessageArrival>()

    /// Makes a bench; `pace` is the time that each handler needs.
    init(
        _ bench: ServiceBench, profile: StackProfile = .architectureV2, pace: Duration = .zero,
        isMonitoring: Bool = true
    ) async {
        service = MessagePollingService(
            session: bench.session, store: bench.store, profile: profile, dependencies: bench.dependencies)
        let (handed, arrivals, clock) = (handed, arrivals, bench.clock)
        let note: @Sendable (String, MessageArrival) async -> Void = { text, arrival in
            if pace > .zero { try? await clock.sleep(for: pace) }
            handed.add(text)
            arrivals.add(arrival)
        }
        await service.setIntake(
            MessageIntake(
                contact: { await note($0.message.text.string, $1) },
                channel: { await note("channel: \($0.message.text.string)", $1) },
                signed: { await note("signed by \($0.message.authorPrefix.array[0]): \($0.message.text.string)", $1) },
                commandAnswer: { await note("command: \($0.message.text.string)", $1) }))
        service.events.observe { event in
            guard case .datagramReceived(let datagram, let arrival) = event else { return }
            handed.add("datagram of \(datagram.data.count)")
            arrivals.add(arrival)
        }
        if isMonitoring { await service.startEventMonitoring(deviceID: bench.device.id) }
    }
}

extension StackProfile {
    /// The default profile with another synchronisation.
    static func sync(_ change: (inout SyncPolicy) -> Void) -> StackProfile {
        var profile = StackProfile()
        change(&profile.sync)
        return profile
    }
}

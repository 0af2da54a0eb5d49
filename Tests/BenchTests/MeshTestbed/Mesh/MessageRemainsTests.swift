import MeshFirmware
import MeshTime
import Testing

@testable import MeshWorlds

/// Remains of a message: copies on the air, with listeners and in queues.
@Suite struct MessageRemainsTests {
    private static let (alice, relay, bob) = (0, 1, 2)
    private static let text = MessageRemains.Carried(message: 0, isAcknowledgement: false)
    private static let ack = MessageRemains.Carried(message: 0, isAcknowledgement: true)

    private func remains() -> MessageRemains {
        var remains = MessageRemains(nodes: 3)
        remains.addMessage()
        return remains
    }

    /// Alice has sent the text, which the relay has received at this moment.
    private func heard(isFlood: Bool = true) -> MessageRemains {
        var remains = remains()
        remains.sends(Self.text, in: 0, from: Self.alice)
        remains.hasSent(0, from: Self.alice, at: .seconds(1))
        remains.hears(Self.text, isFlood: isFlood, at: Self.relay, .seconds(1))
        return remains
    }

    @Test func `a frame that nobody receives leaves nothing`() {
        var remains = remains()
        remains.sends(Self.text, in: 0, from: Self.alice)
        #expect(remains.hasCopies(of: 0))
        #expect(remains.takeSuspects(before: .seconds(100)).isEmpty)

        remains.hasSent(0, from: Self.alice, at: .seconds(1))

        #expect(!remains.hasCopies(of: 0))
        // What follows at the same moment is still to come.
        #expect(remains.takeSuspects(before: .seconds(1)).isEmpty)
        let suspects = remains.takeSuspects(before: .seconds(2))
        #expect(suspects.map(\.message) == [0] && suspects.map(\.at) == [.seconds(1)])
    }

    @Test(arguments: [true, false])
    func `a copy that is sent on is in a queue until it is transmitted`(isFlood: Bool) {
        var remains = heard(isFlood: isFlood)
        remains.reports(.forwarded(hops: 1, delayMilliseconds: 700), at: Self.relay, .seconds(1))
        #expect(remains.hasCopies(of: 0))

        remains.sends(Self.text, in: 1, from: Self.relay)
        #expect(remains.hasCopies(of: 0))
        remains.hasSent(1, from: Self.relay, at: .seconds(10))

        #expect(!remains.hasCopies(of: 0))
    }

    @Test func `a listener that gives it up, delivers it or has no room for it ends its copy`() {
        for event in [.rxDrop(.alreadySeen), .delivered(payloadType: 2)] as [NodeEvent] {
            var remains = heard()
            remains.reports(event, at: Self.relay, .seconds(1))
            #expect(!remains.hasCopies(of: 0), "\(event)")
        }
        var remains = heard()
        remains.reports(.forwarded(hops: 1, delayMilliseconds: 700), at: Self.relay, .seconds(1))
        remains.reports(.rxDrop(.queueFull), at: Self.relay, .seconds(1))
        #expect(!remains.hasCopies(of: 0))
    }

    @Test func `what is delivered and sent on as well is in a queue`() {
        var remains = heard()
        remains.reports(.delivered(payloadType: 5), at: Self.relay, .seconds(1))
        remains.reports(.forwarded(hops: 1, delayMilliseconds: 700), at: Self.relay, .seconds(1))
        #expect(remains.hasCopies(of: 0))
    }

    @Test func `a flood that a relay keeps is waited for, and for no longer than it may keep it`() {
        var remains = heard()
        // Another frame comes meanwhile, of which the relay says something at once.
        remains.hears(nil, isFlood: true, at: Self.relay, .seconds(2))
        remains.reports(.rxDrop(.alreadySeen), at: Self.relay, .seconds(2))
        _ = remains.takeSuspects(before: .seconds(30))
        #expect(remains.hasCopies(of: 0))

        var decided = remains
        decided.reports(.rxDrop(.alreadySeen), at: Self.relay, .seconds(5))
        #expect(!decided.hasCopies(of: 0))
        _ = remains.takeSuspects(before: .seconds(60))
        #expect(!remains.hasCopies(of: 0))
    }

    @Test func `a node that goes down loses all that it had`() {
        var sending = remains()
        sending.sends(Self.text, in: 0, from: Self.alice)
        sending.goesDown(Self.alice, at: .seconds(1))
        #expect(!sending.hasCopies(of: 0))
        // The frame of that number ends nothing more.
        sending.hasSent(0, from: Self.alice, at: .seconds(2))
        #expect(!sending.hasCopies(of: 0))

        var queued = heard()
        queued.reports(.forwarded(hops: 1, delayMilliseconds: 700), at: Self.relay, .seconds(1))
        queued.goesDown(Self.relay, at: .seconds(2))
        #expect(!queued.hasCopies(of: 0))

        var kept = heard()
        kept.goesDown(Self.relay, at: .seconds(2))
        #expect(!kept.hasCopies(of: 0))
    }

    @Test func `acknowledgements are counted by themselves, from the moment at which one is owed`() {
        var remains = heard(isFlood: false)
        remains.owes(0, at: Self.bob)
        #expect(remains.hasAcknowledgements(of: 0) && !remains.hasCopies(of: 0))

        remains.sends(Self.ack, in: 1, from: Self.bob)
        remains.hasSent(1, from: Self.bob, at: .seconds(3))

        #expect(!remains.hasAcknowledgements(of: 0))
    }
}

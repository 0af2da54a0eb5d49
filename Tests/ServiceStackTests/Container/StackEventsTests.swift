import Foundation
import PocketMeshServices
import StackTestSupport
import Testing

/// The events of a container: their observers, their order, and the cost without observers.
@Suite struct StackEventsTests {
    private static func failed(_ number: UInt8) -> StackEvent {
        .messageFailed(messageID: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, number)))
    }

    private static func number(_ event: StackEvent) -> UInt8? {
        if case .messageFailed(let id) = event { id.uuid.15 } else { nil }
    }

    @Test func `each subscriber gets every event in order, and ends with the services`() async {
        let events = StackEvents()
        let told = Notes<UInt8>()
        events.note(in: told, Self.number)
        let (all, odd) = (events.subscribe(), events.subscribe { Self.number($0).map { $0 % 2 == 1 } ?? false })
        events.emit(.contactsFull)
        for number: UInt8 in 1...4 { events.emit(Self.failed(number)) }
        events.finish()
        events.emit(Self.failed(5))

        #expect(told.all == [1, 2, 3, 4])
        #expect(await all.events.reduce(into: []) { $0.append(Self.number($1)) } == [nil, 1, 2, 3, 4])
        #expect(await odd.events.reduce(into: []) { $0.append(Self.number($1)) } == [1, 3])
        #expect(!events.isObserved)
        let late = events.subscribe()
        #expect(await late.events.first { _ in true } == nil)
    }

    @Test func `who tells an event hears whether anybody wanted it`() {
        let events = StackEvents()
        #expect(!events.emit(.contactsFull))
        let odd = events.subscribe { Self.number($0).map { $0 % 2 == 1 } ?? false }
        #expect(events.isObserved)
        #expect(!events.emit(.contactsFull))
        #expect(!events.emit(Self.failed(2)))
        #expect(events.emit(Self.failed(1)))
        odd.cancel()
        #expect(!events.emit(Self.failed(3)))
    }

    @Test func `a subscriber that does not read loses the oldest events, and knows how many`() async {
        let events = StackEvents()
        let slow = events.subscribe(bufferSize: 2)
        for number: UInt8 in 1...5 { events.emit(Self.failed(number)) }
        slow.cancel()
        events.emit(Self.failed(6))

        #expect(slow.dropCount == 3)
        #expect(await slow.events.reduce(into: []) { $0.append(Self.number($1)) } == [4, 5])
        #expect(!events.isObserved)
    }

    @Test func `an event that nobody wants is not made, and who has gone is told nothing`() async {
        let events = StackEvents()
        let (made, told) = (Notes<UInt8>(), Notes<UInt8>())
        func make(_ number: UInt8) -> StackEvent {
            made.add(number)
            return Self.failed(number)
        }
        events.emit(make(1))
        let observation = events.note(in: told, Self.number)
        events.emit(make(2))
        observation.cancel()
        events.emit(make(3))
        let reader = Task {
            for await _ in events.subscribe().events { break }
        }
        while !events.isObserved { await Task.yield() }
        events.emit(make(4))
        await reader.value

        #expect(made.all == [2, 4])
        #expect(told.all == [2])
    }

    @Test func `whoever is told does not keep the events alive`() {
        weak var gone: StackEvents?
        do {
            let events = StackEvents()
            gone = events
            events.observe { [weak events] _ in _ = events }
            let subscription = events.subscribe()
            events.emit(.contactsFull)
            #expect(subscription.dropCount == 0)
        }
        #expect(gone == nil)
    }
}

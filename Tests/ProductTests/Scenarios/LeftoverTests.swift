import MeshTime
import MeshWire
import PocketMeshServices
import Synchronization
import Testing

@testable import MeshScenarios

/// What a run holds is given back when it has ended: a soak of any length needs the memory of one run.
@Suite struct LeftoverTests {
    /// Objects that a test looks for, without keeping them.
    private final class Traces: Sendable {
        private struct Trace: Sendable {
            let name: String
            weak let object: (any AnyObject & Sendable)?
        }

        private let traces = Mutex<[Trace]>([])

        func note(_ name: String, _ object: any AnyObject & Sendable) {
            traces.withLock { $0.append(Trace(name: name, object: object)) }
        }

        var names: [String] { traces.withLock { $0.map(\.name) } }
        /// The names of those that are still there.
        var left: [String] { traces.withLock { $0.filter { $0.object != nil }.map(\.name) } }
    }

    /// Notes the objects behind a person's app.
    private struct Notes: Action {
        let who: Person
        let traces: Traces
        let sentence = "the objects of an app are noted"
        var cast: [Member] { [who.member] }

        func perform(on stage: Stage) async throws {
            let player = try stage.player(who.member)
            traces.note("stage", stage)
            traces.note("faults", player.faults)
            traces.note("link", player.link)
            if let app = player.app as? SessionApp { traces.note("app", app) }
            guard let app = player.app as? StackApp else { return }
            traces.note("app", app)
            traces.note("store", await app.store)
            traces.note("manager", await app.manager)
            let container = try await app.services()
            traces.note("container", container)
            traces.note("session", container.session)
            traces.note("contacts", container.contactService)
            traces.note("messages", container.messageService)
            traces.note("channels", container.channelService)
            traces.note("settings", container.settingsService)
            traces.note("adverts", container.advertisementService)
            traces.note("polling", container.messagePollingService)
            traces.note("binary", container.binaryProtocolService)
            traces.note("pictures", container.imageService)
            traces.note("remote nodes", container.remoteNodeService)
            traces.note("repeaters", container.repeaterAdminService)
            traces.note("rooms", container.roomServerService)
            traces.note("notifications", container.notificationService)
        }
    }

    private func left(of person: Person, friend: Person) -> (noted: Int, left: [String]) {
        let tavern = Room("tavern")
        let traces = Traces()
        let scenario = Scenario("left", .sync, "Two people write to each other and in a room.") {
            together(person, friend, tavern)
            acquainted(person, friend)
            person.knows(tavern)

            person.enters(tavern).tried(for: .seconds(60))
            Notes(who: person, traces: traces)
            person.sends("here", to: friend)
            friend.sends("there", to: person)
            person.posts("post", in: tavern)
            pause(.seconds(60))
        }
        let result = ScenarioRun(scenario, seed: Seed(1)).onVirtualTime()
        #expect(result.verdict == .kept)
        return (traces.names.count, traces.left)
    }

    @Test func `nothing of a service stack is left`() {
        let (noted, left) = left(of: .stack("alice"), friend: .stack("bob"))

        #expect(noted == 20)
        #expect(left == [])
    }

    @Test func `nothing of a plain client is left`() {
        let (noted, left) = left(of: .client("alice") { $0.attempts = 4 }, friend: .client("bob") { $0.attempts = 4 })

        #expect(noted == 4)
        #expect(left == [])
    }
}

import MeshSimulator
import MeshTime
import MeshWorlds

extension WorldDriver {
    /// The driver of an emulator's world.
    init(_ world: World, _ configuration: Emulator.Configuration) {
        var settings = Settings()
        settings.pace = configuration.pace
        settings.waiting = configuration.waitingForClients
        settings.peers = configuration.peers
        settings.end = configuration.end
        settings.isSteered = configuration.isSteered
        settings.hasJig = configuration.hasJig
        settings.hasLinkFaults = !configuration.linkFaults.isEmpty || configuration.hasJig
        settings.emitsLines = configuration.happened != nil || configuration.isSteered
        settings.emitsLosses = configuration.lost != nil
        settings.emitsRecordings = configuration.record != nil
        var world = world
        let people = configuration.traffic.map { plan in
            MeshPeople(
                plan, seed: configuration.seed, span: settings.end == .never ? nil : settings.end - .start, in: &world,
                foreign: configuration.takenNodes.compactMap { world.node(labelled: $0) },
                keepsInboxes: configuration.isSteered, keepsLines: true)
        }
        self.init(world, settings, people: people)
    }
}

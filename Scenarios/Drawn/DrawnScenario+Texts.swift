import MeshTestbed

extension DrawnScenario {
    /// People who know each other write texts. When the span is over, each text is delivered or given up, and a while
    /// later nothing has changed.
    ///
    /// - Parameters:
    ///   - span: the end of all actions and faults.
    ///   - limit: the time that the last text may need.
    init(
        _ name: String, _ story: Scenario.Story, _ summary: String, tags: Set<Scenario.Tag> = [.faults],
        over span: Duration, settledWithin limit: Duration = .seconds(600),
        mesh: @escaping @Sendable (inout Draw) -> DrawnMesh,
        @ScenarioBuilder _ parts: @escaping @Sendable (inout Draw, DrawnMesh) -> [ScenarioPart]
    ) {
        self.init(name, story, summary, tags: tags) { draw in
            let mesh = mesh(&draw)
            mesh.links
            mesh.knownContacts
            States.ofTexts
            parts(&draw, mesh)
            pause(span)
            everythingIsSettled(within: limit)
            pause(.seconds(15))
        }
    }
}

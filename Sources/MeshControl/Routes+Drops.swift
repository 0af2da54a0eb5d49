import MeshEmulator
import MeshHTTP
import MeshSimulator
import MeshWorlds

// What was lost on the air, with the frames that were in the way.
extension ControlAPI {
    static let drops: [WebRoute<ControlAPI>] = [
        WebRoute("GET", "/drops") { api, call in
            let page = try call.page()
            let (log, nodes) = try await api.emulator.look { driver in
                (driver.log ?? HappeningLog(), driver.people?.topology.nodes.map(\.label) ?? [])
            }
            var register = FrameRegister()
            var losses: [FrameLoss] = []
            log.forEach { line in
                guard let content = TraceFile.Line.Content(line.happening) else { return }
                if let loss = register.enter(line.time, line.node.index, content) { losses.append(loss) }
            }
            let shown = losses.page(page).map { LossRecord($0) { nodes.indices.contains($0) ? nodes[$0] : "" } }
            return try WebAnswer(DropListRecord(drops: shown, total: losses.count))
        }
    ]
}

private struct DropListRecord: Encodable, Sendable {
    let drops: [LossRecord]
    let total: Int
}

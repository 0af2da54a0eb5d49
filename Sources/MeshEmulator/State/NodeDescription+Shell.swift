import MeshFirmware
import MeshSimulator
import MeshTransports

extension NodeDescription {
    /// Gives the node the interface that an endpoint needs.
    mutating func connect(_ endpoint: NodeEndpoint) {
        if endpoint.service == .external {
            role = .guest { ExternalNode($0) }
            return
        }
        if case (.companion, .modem) = (role, endpoint.service) {
            role = .modem
            return
        }
        switch (role, endpoint.endpoint) {
        case (.companion, .tcp): role = .companion(.wifi)
        case (.companion, .pty), (.companion, .serial), (.companion, .remote): role = .companion(.serial)
        case (.companion, .controller), (.companion, .bluetooth): role = .companion(.bluetooth)
        // The console of the others is the same on every wire.
        case (.server, _), (.guest, _): break
        }
    }
}

extension LoopbackLink {
    /// Gives the node of an endpoint the interface that the link needs; refused where there can be none.
    func connect(_ node: inout NodeDescription, at endpoint: NodeEndpoint) throws(EmulatorError) {
        guard self != .direct else { return }
        if case .controller = endpoint.endpoint { throw .linkedController(label: endpoint.label) }
        guard case .companion = node.role, endpoint.service == .node else { throw .noBluetooth(label: endpoint.label) }
        prepare(&node)
    }
}

extension StateDirectory {
    /// The flash of a node, refused when a file in it is damaged.
    func checkedFlash(of node: NodeDescription) throws(EmulatorError) -> Flash {
        // Names come from world files and from adverts of strangers.
        guard !node.label.contains("/"), !node.label.hasPrefix("."), !node.label.isEmpty,
            !node.label.unicodeScalars.contains(where: { $0.value < 0x20 })
        else { throw .badDirectory(label: node.label) }
        let flash = try load(node.label)
        do throws(StorageError) {
            switch node.role {
            case .companion: try CompanionStorage.validate(flash)
            case .server: try ServerStorage.validate(flash)
            case .guest: break
            }
        } catch {
            throw .stateDamaged(path: file(error.file, of: node.label), field: error.field, reason: error.reason)
        }
        return flash
    }
}

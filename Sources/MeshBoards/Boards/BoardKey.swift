import MeshFiles
import MeshTransports

/// The name under which a board is known to all programs of a machine, whatever it is called and wherever it is plugged
/// in.
struct BoardKey: Hashable, Sendable {
    /// The USB serial number where there is one, else the address, both with their kind.
    let text: String

    /// The key of the board at an address; `nil` for addresses of no radio.
    init?(_ address: LinkAddress, lines: USBLines = USBLines()) {
        switch address {
        case .serial(let path, _), .pty(let path):
            text = lines.serial(of: path).map { "usb:\($0)" } ?? "serial:\(USBLines.resolved(path) ?? path)"
        case .tcp(let host, let port): text = "tcp:\(host == "localhost" ? "127.0.0.1" : host.lowercased()):\(port)"
        case .remote(let line): text = "line:\(line.host.lowercased()):\(line.port)"
        case .bluetooth(let radio):
            // All adapters reach the same radio of a name. The airs of virtual controllers each have one of their own.
            let air = radio.controller.isVirtual ? "@\(radio.controller)" : ""
            text = "ble:\(radio.peer)\(air)"
        case .controller: return nil
        }
    }

    /// The key of the one radio of a claimed target: the place where labgrid has one, as its address changes.
    init?(_ target: Target) {
        if let place = target.board?.place {
            text = LabgridPlace.scheme + place
        } else {
            guard let address = target.addresses.first, let key = BoardKey(address) else { return nil }
            self = key
        }
    }

    /// Tells whether it names the board itself, and not the place where a board is.
    var isOfBoard: Bool { text.hasPrefix("usb:") }

    /// The name of its files.
    var fileName: String { UserFolders.fileName(text) }
}

extension Target {
    /// Returns whether one of its radios is one of another target's, by whatever address they are named.
    package func hasRadio(of other: Target) -> Bool {
        let lines = USBLines()
        let keys = Set(addresses.compactMap { BoardKey($0, lines: lines) })
        return other.addresses.contains { BoardKey($0, lines: lines).map(keys.contains) == true }
    }
}

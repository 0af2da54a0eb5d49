import MeshTransports
import PocketMeshServices

/// Forgets pairings where they are kept: at bluetoothd, or in the file of a controller that is ours alone.
struct LinkBonds: BondKeeping {
    func removeBond(of endpoint: RadioEndpoint) async throws {
        guard case .bluetooth(let radio) = try LinkAddress(radio: "\(endpoint)") else { return }
        // A radio that is not paired is forgotten already.
        _ = try BluetoothBonds.forget(radio)
    }
}

import MeshBluetoothHost
package import MeshBus
import MeshFiles

/// The keys that this machine has of radios: bluetoothd's, or those in the file of a controller.
package enum BluetoothBonds {
    /// Removes those of a radio; `false` where there are none.
    ///
    /// - Parameter bus: Where bluetoothd is, when it is on another bus than the system's.
    package static func forget(_ radio: BluetoothRadio, on bus: Bus.Place = .system) throws(LinkError) -> Bool {
        let address = LinkAddress.bluetooth(radio)
        if case .desktop(let number) = radio.controller {
            do throws(BusError) {
                return try forgetAtDesktop(.init(radio.peer), number, Bus(bus))
            } catch {
                throw .unreachable(address, reason: "\(BluetoothCentral.Failure(error, adapter: "", hasTyped: false))")
            }
        }
        guard case .address(let number) = radio.peer else {
            throw .unreachable(
                address, reason: "its keys are kept by its address; name it so, as 'meshbed ble scan' shows it")
        }
        guard let file = BondFile.ofCentral(radio.controller, in: BondFile.environment) else { return false }
        BluetoothHolds.waitUntilFree(radio.controller)
        let known = try file.load(for: address)
        let left = known.filter { $0.bond.peer.number != number }
        guard left.count < known.count else { return false }
        do throws(FileSystem.Failure) {
            try file.store(left)
        } catch {
            throw .unreachable(address, reason: "its keys cannot be removed: \(error)")
        }
        return true
    }

    private static func forgetAtDesktop(
        _ peer: BluetoothCentral.Peer, _ number: Int?, _ bus: Bus
    ) throws(BusError) -> Bool {
        let objects = DesktopObjects(try bus.call(DesktopNames.objects).first)
        guard let adapter = objects.adapter(number) else { return false }
        let known = objects.devices(of: adapter).filter { $0.isPaired && $0.isWanted(by: peer) }
        for device in known {
            try bus.call(
                DesktopNames.call(adapter, DesktopNames.adapter, "RemoveDevice", .objectPath(device.path)))
        }
        return !known.isEmpty
    }
}

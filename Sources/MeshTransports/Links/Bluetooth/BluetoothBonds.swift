import MeshBluetoothHost
package import MeshBus
import MeshFiles

/// The keys that this machine has of radios: bluetoothd's, or those in the file of a controller.
package enum BluetoothBonds {
    /// Removes those of a radio; `false` where there are none.
    ///
    /// A file keeps the name by which a radio was dialed. A radio without a name in it may be the one that is named.
    ///
    /// - Parameters:
    ///   - bus: the bus of bluetoothd, when it is another one than the system's.
    ///   - environment: the variables that locate the user's files.
    package static func forget(
        _ radio: BluetoothRadio, on bus: Bus.Place = .system, environment: [String: String] = UserFolders.environment
    ) throws(LinkError) -> Bool {
        let address = LinkAddress.bluetooth(radio)
        if case .desktop(let number) = radio.controller {
            do throws(BusError) {
                return try forgetAtDesktop(.init(radio.peer), number, Bus(bus))
            } catch {
                throw .unreachable(address, reason: "\(BluetoothCentral.Failure(error, adapter: "", hasTyped: false))")
            }
        }
        guard let file = BondFile.ofCentral(radio.controller, in: environment) else { return false }
        BluetoothHolds.waitUntilFree(radio.controller)
        let known = try file.load(for: address)
        let names = (try? file.names()) ?? [:]
        let left = known.filter { peer in
            switch radio.peer {
            case .address(let number): peer.bond.peer.number != number
            case .name(let name): names[peer.bond.peer.number] != name
            }
        }
        guard left.count < known.count else {
            if case .name = radio.peer, known.contains(where: { names[$0.bond.peer.number] == nil }) {
                throw .unreachable(
                    address, reason: "its keys are kept by its address; name it so, as 'meshbed ble scan' shows it")
            }
            return false
        }
        do throws(FileSystem.Failure) {
            try file.store(left, names: names)
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

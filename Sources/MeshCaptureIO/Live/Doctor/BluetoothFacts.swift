/// The Bluetooth equipment of a machine, as far as it can be seen without changing anything.
package struct BluetoothFacts: Hashable, Sendable {
    /// An adapter of the machine.
    package struct Adapter: Hashable, Sendable {
        /// As the kernel counts them: 0 is `hci0`.
        package var index: UInt16
        /// True when it is switched on.
        package var isUp: Bool
        /// Its address as text, where it has one.
        package var address: String?

        package init(index: UInt16, isUp: Bool, address: String? = nil) {
            self.index = index
            self.isUp = isUp
            self.address = address
        }

        package var name: String { "hci\(index)" }
    }

    /// The switch that has turned a radio off.
    enum Block: Hashable, Sendable {
        /// By a program, which can undo it.
        case bySoftware
        /// By a switch of the machine.
        case byHardware
    }

    /// The program that runs the adapters of a desktop.
    package enum Daemon: Hashable, Sendable {
        case running
        /// It runs, and refuses calls of this user.
        case refuses
        case notRunning
        /// There is no bus of the system on which it could be.
        case noBus
    }

    /// The release of the kernel.
    package var kernel = ""
    /// True when the kernel has sockets for Bluetooth now.
    package var hasSockets = false
    /// True when there are modules for them that could be loaded.
    package var hasModules = false
    package var adapters: [Adapter] = []
    /// The strongest of them.
    var block: Block?
    package var daemon = Daemon.noBus
    /// True when the daemon's program is installed and could run.
    package var hasDaemonProgram = false
    /// CAP_NET_ADMIN, for having an adapter alone.
    package var mayHaveAlone = false
    /// CAP_NET_RAW, for captures.
    package var mayCapture = false

    package init() {}
}

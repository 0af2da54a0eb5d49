import MeshCompanion
package import MeshPacket

/// The hooks by which another module makes a companion radio faulty, as the mutants of the compliance suite do.
///
/// The radio calls its hooks where input, commands, frames and packets pass, and knows no fault itself. The memory
/// of a fault is in the hooks: they are a value, and a copy of the radio has a copy of them. A method that changes
/// them stores them in ``CompanionRadio/hooks``.
package protocol CompanionHooks: Sendable {
    /// Changes the board and its quirks. The maker of a radio calls it before the boot; a restart does not repeat
    /// it.
    func prepare(_ board: inout BoardProfile, _ quirks: inout QuirkSet)
    /// Handles the radio's boot; the hooks may forget the time before.
    func booted(_ radio: inout CompanionRadio)
    /// Runs the link's and the mesh's part of a pass, which are `link` and `mesh` of a sound radio.
    func pass(
        _ input: NodeInput, of radio: inout CompanionRadio, link: (inout CompanionRadio, NodeInput) -> Void,
        mesh: (inout CompanionRadio, NodeInput) -> Void)
    /// A pass has ended; `effects` holds what leaves the node from the index `first` on.
    func endPass(of radio: inout CompanionRadio, _ effects: inout [NodeEffect], from first: Int)
    /// Executes a frame of the app, which is `execute` of a sound radio.
    func execute(
        _ frame: [UInt8], on radio: inout CompanionRadio, execute: (inout CompanionRadio, [UInt8]) -> Void)
    /// Writes a frame to the interface, or does not.
    func write(_ frame: [UInt8], of radio: inout CompanionRadio)
    /// Returns the bytes to seal into a packet of this type; for a returned path, those that it carries.
    func sealed(_ plaintext: [UInt8], as type: PayloadType, by radio: CompanionRadio) -> [UInt8]
}

extension CompanionRadio {
    /// True when the radio has hooks. A sound radio asks this at each of them, and calls nothing.
    var isHooked: Bool { !hooks.isEmpty }

    /// Builds hooks into a radio that has just booted; it keeps them over its restarts.
    package mutating func attach(_ hooks: any CompanionHooks) {
        self.hooks = [hooks]
        hooks.booted(&self)
    }

    /// Returns the bytes to seal into a packet of this type. Mutating although nothing changes, so that no radio is
    /// copied.
    mutating func plaintext(_ bytes: [UInt8], of type: PayloadType) -> [UInt8] {
        isHooked ? hooks[0].sealed(bytes, as: type, by: self) : bytes
    }
}

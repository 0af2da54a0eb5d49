import MeshCompanion
import MeshRadio
import MeshTime
import MeshWire

// What happens between power-on and the first pass: `MyMesh::begin` in the firmware.
extension CompanionRadio {
    /// Loads settings, contacts and channels, sets clock and radio.
    mutating func loadSettings() {
        preferences.name = ByteText([UInt8](core.publicKey.prefix(4)).hex.uppercased())
        let file = core.switches.settingsFile
        if preferences.load(from: flash, file) { write(preferences.fileContent(), to: CompanionPreferences.path) }
        preferences.clampAtBoot(board: core.board)
        CompanionStorage.loadContacts(from: flash, into: &contacts)
        setClockFromContacts()
        CompanionStorage.loadChannels(from: flash, into: &channels)
        environment.startGPS(
            isOn: preferences.gpsEnabled == 1, interval: preferences.gpsInterval,
            place: GPSPosition(latitude: preferences.latitude, longitude: preferences.longitude), at: core.now)
        applyRadioParameters()
        core.setTxPower(preferences.txPower)
    }

    /// The newest change of a contact is the best guess at the time that a board without a clock has (CMP-217).
    private mutating func setClockFromContacts() {
        let newest = contacts.slots.reduce(UInt32(0)) { max($0, $1.lastModified) }
        guard newest != 0 else { return }
        guard
            core.quirks.contains(.clockFromContacts)
                || newest &+ 1 > core.clock.time(at: core.now - core.board.gpsSearch)
        else { return }
        // Before it looked for a GPS receiver: the clock has run since.
        core.clock.set(newest &+ 1, at: core.now - core.board.gpsSearch)
    }

    /// Sets the radio from the settings, as far as the chip accepts them.
    mutating func applyRadioParameters() {
        core.tune(
            frequencyKilohertz: reportedFrequency, bandwidthHertz: reportedBandwidth,
            spreadingFactor: preferences.spreadingFactor, codingRate: preferences.codingRate)
    }
}

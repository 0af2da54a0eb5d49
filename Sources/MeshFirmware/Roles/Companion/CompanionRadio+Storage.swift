import MeshCompanion
import MeshCrypto
package import MeshWire

// Writing to flash. A failure is not reported to the app, but for the identity (CMP-082, CMP-102, CMP-197).
extension CompanionRadio {
    /// `LAZY_CONTACTS_WRITE_DELAY`.
    static let contactsWriteDelay: UInt32 = 5000

    @discardableResult
    mutating func write(_ content: [UInt8], to path: String) -> Bool {
        let hadPower = !flash.hasLostPower
        guard hasRoom(for: content, at: path), flash.write(content, to: path) else {
            if hadPower, flash.hasLostPower { core.effects += [.flash(flash.remains(of: path)), .powerOff] }
            return false
        }
        core.effects.append(.flash(.wrote(path: path, bytes: content)))
        return true
    }

    /// Returns whether the file system has room for a file's content; a full one keeps what it has.
    ///
    /// Adverts of contacts that were lost before they were written stay behind, and an app can make as many of them
    /// as it likes.
    private func hasRoom(for content: [UInt8], at path: String) -> Bool {
        // Some boards report 0 KiB of 0.
        let size = core.board.storageKiB == 0 ? 1024 : Int(core.board.storageKiB)
        return flash.usedBytes - (flash[path]?.count ?? 0) + content.count <= size * 1024
    }

    mutating func remove(_ path: String) {
        if flash.remove(path) { core.effects.append(.flash(.removed(path: path))) }
    }

    /// Stores the preferences, with the position that the sensors report.
    mutating func savePreferences() {
        let place = environment.position(at: core.now)
        preferences.latitude = place.latitude
        preferences.longitude = place.longitude
        let file = core.switches.settingsFile
        var stored = preferences
        if let radioAtReboot {
            (stored.frequency, stored.bandwidth) = (radioAtReboot.frequency, radioAtReboot.bandwidth)
            (stored.spreadingFactor, stored.codingRate) = (radioAtReboot.spreadingFactor, radioAtReboot.codingRate)
        }
        write(stored.fileContent(file), to: CompanionPreferences.path(of: file))
    }

    /// Gives the radio a name, a place that its adverts carry, and a GPS that is on or off, as if its owner had done so
    /// before the board was switched on; settings in its flash come first.
    package mutating func preset(name: ByteText?, place: GeoPoint? = nil, gps: GPSSettings? = nil) {
        let file = core.switches.settingsFile
        guard name != nil || place != nil || gps != nil, flash[CompanionPreferences.path] == nil,
            flash[CompanionPreferences.binaryPath] == nil
        else { return }
        if let name { preferences.name = name.prefix(31).untilNUL }
        if let place {
            (preferences.latitude, preferences.longitude) = (place.latitude, place.longitude)
            preferences.advertLocationPolicy = 1
            environment.setPosition(
                GPSPosition(latitude: place.latitude, longitude: place.longitude), at: core.now)
        }
        if let gps {
            preferences.gpsEnabled = gps.isOn ? 1 : 0
            if let policy = gps.advertises { preferences.advertLocationPolicy = policy == .none ? 0 : 1 }
            environment.startGPS(
                isOn: gps.isOn, interval: preferences.gpsInterval,
                place: GPSPosition(latitude: preferences.latitude, longitude: preferences.longitude), at: core.now)
        }
        // No effect: it lay there when the node came into being.
        _ = flash.write(preferences.fileContent(file), to: CompanionPreferences.path(of: file))
    }

    mutating func saveChannels() {
        write(CompanionStorage.fileContent(of: channels), to: CompanionStorage.channelsPath)
    }

    package mutating func saveContacts() {
        write(CompanionStorage.fileContent(of: contacts), to: CompanionStorage.contactsPath)
    }

    /// Contacts changed: they are written five seconds after the last change.
    mutating func contactsChanged() {
        contactsDue = core.future(Self.contactsWriteDelay)
    }

    /// The change that waits to be written: a reboot writes it at once, a cut of the power loses it.
    ///
    /// For a driver that shuts the board down in an orderly way.
    public var pendingWrite: FlashChange? {
        guard contactsDue != nil else { return nil }
        return .wrote(path: CompanionStorage.contactsPath, bytes: CompanionStorage.fileContent(of: contacts))
    }

    mutating func writeContactsIfDue() {
        guard let due = contactsDue, core.hasPassed(due) else { return }
        writeContactsNow()
    }

    /// Writes changed contacts without waiting for more changes.
    mutating func writeContactsNow() {
        guard contactsDue != nil else { return }
        contactsDue = nil
        saveContacts()
    }

    // MARK: Adverts

    mutating func storeAdvert(_ packet: [UInt8], of key: PublicKey) {
        guard let change = adverts.store(packet, of: key, at: core.unixTime, in: flash) else { return }
        write(change.content, to: change.path)
    }

    mutating func removeAdvert(of key: PublicKey) {
        if let path = adverts.fileToRemove(key) { remove(path) }
    }
}

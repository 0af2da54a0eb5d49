extension FirmwareVersion {
    /// Returns the switches of a protocol level: an app knows no more of a radio before it reads the text of the
    /// version.
    ///
    /// Of several versions with one level they are those of the oldest, which does the least. Levels below the first
    /// version's have its values, and those above the last one's have those.
    package static func switches(ofLevel level: UInt8) -> FirmwareSwitches {
        let known = all.last { $0.switches.level <= level } ?? all[0]
        return (all.first { $0.switches.level == known.switches.level } ?? known).switches
    }
}

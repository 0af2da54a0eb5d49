/// The files that an infrastructure node keeps in flash, checked before a program starts one from them.
public enum ServerStorage {
    /// Checks every file that the node reads at boot and throws the first fault.
    ///
    /// The node itself boots from the readable part, as the firmware does, and writes a new identity over one that
    /// is too short. A program that asks here first can keep the file and report its fault.
    public static func validate(_ flash: Flash) throws(StorageError) {
        if let content = flash[ServerFiles.identity] {
            try CompanionStorage.validateIdentity(content, in: ServerFiles.identity)
        }
        try ServerPreferences.validate(flash)
        if let content = flash[ClientTable.path] { try ClientTable.validate(content) }
        if let content = flash[RegionTable.path] { try RegionTable.validate(content) }
    }
}

import Glibc

/// The folders in which programs keep files of a user, and files that all users of a machine see.
package enum UserFolders {
    /// The variables of the environment that locate the user's state.
    package static var environment: [String: String] {
        var found: [String: String] = [:]
        for name in ["XDG_STATE_HOME", "HOME"] { found[name] = getenv(name).map { String(cString: $0) } }
        return found
    }

    /// The folder of this program for the user's state; `nil` where the environment names none.
    package static func state(in environment: [String: String] = environment) -> String? {
        func folder(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        return (folder("XDG_STATE_HOME") ?? folder("HOME").map { $0 + "/.local/state" }).map { $0 + "/meshbed" }
    }

    /// Makes a folder in which all users of the machine may have files, each its own.
    package static func makeShared(_ path: String) throws(FileSystem.Failure) {
        // Whoever made it has opened it to all.
        guard mkdir(path, 0o777) != 0 else {
            chmod(path, 0o1777)
            return
        }
        guard errno == EEXIST, try FileSystem.kind(of: path) == .directory else { throw FileSystem.Failure(path) }
    }

    /// The name of a file for any text: letters, digits, full stops and hyphens stay, all else becomes `%` and hex.
    package static func fileName(_ text: String) -> String {
        text.utf8.map { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "."), UInt8(ascii: "-"):
                String(UnicodeScalar(byte))
            default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        }.joined()
    }
}

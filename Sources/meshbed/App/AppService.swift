import FoundationEssentials
import MeshEmulator

/// A user service of systemd that keeps the app running, from a command line that starts it.
struct AppService {
    /// The flag that prints the service instead of starting the app.
    static let flag = "--print-service"

    /// The path of the program.
    let program: String
    /// The words behind the program's name.
    let words: [String]
    /// The folder in which relative paths begin.
    let folder: String

    /// - Parameter arguments: the command line behind the program's name.
    init(program: String, arguments: [String], folder: String) {
        self.program = program
        self.folder = folder
        words = Self.withoutPIN(arguments.filter { $0 != Self.flag })
    }

    /// The unit's file. Its addresses have no PIN: the first link has paired, or the page asks.
    var text: String {
        """
        # The address of the page: journalctl --user -u meshbed-app -o cat
        [Unit]
        Description=Meshbed, the app in a browser

        [Service]
        WorkingDirectory=\(Self.unexpanded(folder))
        ExecStart=\(([program] + words).map(Self.quoted).joined(separator: " "))
        Restart=on-failure
        RestartSec=5

        [Install]
        WantedBy=default.target
        """
    }

    /// Returns the words with addresses of radios as they are printed, which is without a PIN.
    private static func withoutPIN(_ words: [String]) -> [String] {
        let option = "--target"
        return words.enumerated().map { index, word in
            if index > 0, words[index - 1] == option { return printed(word) }
            guard word.hasPrefix(option + "=") else { return word }
            return option + "=" + printed(String(word.dropFirst(option.count + 1)))
        }
    }

    private static func printed(_ address: String) -> String { (try? RadioAddress(address)).map { "\($0)" } ?? address }

    /// Returns a word in the quotes of a command line of systemd, in which nothing is expanded.
    private static func quoted(_ word: String) -> String {
        var quoted = ""
        for character in unexpanded(word) {
            switch character {
            case "\\", "\"": quoted += "\\\(character)"
            case "$": quoted += "$$"
            case "\n": quoted += "\\n"
            default: quoted.append(character)
            }
        }
        return "\"\(quoted)\""
    }

    /// Returns a text in which systemd sees no specifier.
    private static func unexpanded(_ text: String) -> String {
        text.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%%")
    }
}

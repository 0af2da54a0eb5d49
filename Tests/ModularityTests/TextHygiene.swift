/// Paths and package hosts of one particular machine, which no tracked text may contain.
enum TextHygiene {
    /// Directories that exist on one machine only.
    static let machinePaths = ["/work/", "/root/", "/opt/", "/Users/"]

    /// Signs of a private package index; the clients' own defaults are meant. A folder of files is no index.
    static let registries = [
        "--index-url", "--extra-index-url", "--find-links http", "PIP_INDEX_URL", "PIP_FIND_LINKS", "artifactory",
        "nexus.",
        "registry.npmjs", "goproxy",
    ]

    static func check(path: String, lines: [String]) -> [Finding] {
        lines.enumerated().flatMap { index, line in
            machinePaths.filter { line.hasRooted($0) }.map {
                Finding(
                    path: path, line: index + 1,
                    message: "`\($0)` is a path of one machine; write it from the root of the repository")
            }
                + registries.filter { line.contains($0) }.map {
                    Finding(
                        path: path, line: index + 1,
                        message: "`\($0)`: leave the choice of package index to the machine")
                }
        }
    }
}

extension String {
    /// Tells whether a path begins with `prefix` in this line; one that merely contains such a name does not count.
    func hasRooted(_ prefix: String) -> Bool {
        var rest = self[...]
        while let found = rest.firstRange(of: prefix) {
            let before = rest[..<found.lowerBound].last ?? (rest.startIndex == startIndex ? nil : "/")
            if before.map({ !($0.isLetter || $0.isNumber || "._-/~}*)".contains($0)) }) ?? true { return true }
            rest = rest[found.upperBound...]
        }
        return false
    }
}

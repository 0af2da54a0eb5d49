import FoundationEssentials
package import MeshReports

extension ProgramName {
    /// The program that is running, as the program of a package of scenarios.
    static var running: ProgramName {
        ProgramName(path: runningFile ?? CommandLine.arguments.first ?? "scenarios")
    }

    /// The path of the running program's file, behind all links.
    package static var runningFile: String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    }
}

import Foundation
import MeshReports

extension ProgramName {
    /// The program that is running, as the program of a package of scenarios.
    static var running: ProgramName {
        ProgramName(path: Bundle.main.executableURL?.path ?? CommandLine.arguments.first ?? "scenarios")
    }
}

/// The program that plays scenarios, as its user calls it: what the lines that repeat a run begin with.
public struct ProgramName: Hashable, Sendable {
    /// `meshbed`, `my-stories`.
    public let name: String
    /// The text that a user types before its commands: `meshbed`, `swift run my-stories`.
    public let call: String
    /// Tells whether it is the program of a package of scenarios, with `run` and `soak` at its top.
    public let isPackage: Bool

    /// The command of this project, where scenarios are one subject of several.
    public static let meshbed = ProgramName(name: "meshbed", call: "meshbed", isPackage: false)

    private init(name: String, call: String, isPackage: Bool) {
        (self.name, self.call, self.isPackage) = (name, call, isPackage)
    }

    /// The program of a package, as it is called without a build folder: `my-stories`.
    public init(_ name: String) { self.init(name: name, call: name, isPackage: true) }

    /// The program of a package by the path of its file. What SwiftPM has built is called through `swift run`.
    public init(path: String) {
        let parts = path.split(separator: "/").map(String.init)
        let name = parts.last ?? path
        guard let build = parts.lastIndex(of: ".build") else {
            self.init(name)
            return
        }
        let isRelease = parts[build...].contains("release")
        self.init(name: name, call: "swift run " + (isRelease ? "-c release " : "") + name, isPackage: true)
    }

    /// The words of a command about scenarios, behind the program: `scenario run`, or `run`.
    public func scenario(_ command: String) -> String { isPackage ? command : "scenario " + command }

    /// The line that plays a scenario with a seed.
    package func playing(_ name: String, seed: UInt64) -> String { "\(call) \(scenario("run")) \(name) --seed \(seed)" }
}

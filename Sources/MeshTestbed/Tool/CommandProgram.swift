public import ArgumentParser
import FoundationEssentials
import Glibc

extension AsyncParsableCommand {
    /// Runs the command of the process's arguments, and ends the process with the exit status that the help promises. 2
    /// stands for wrong arguments, for a command that could not run, and for output that was lost.
    public static func runProgram() async {
        do {
            var command = try parseAsRoot()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
            endIfOutputIsLost()
        } catch {
            endIfOutputIsLost()
            if exitCode(for: error) == .validationFailure {
                StandardError.text(refusal(error))
            } else if isUnforeseen(error) {
                StandardError.line("\(program): \(error.plainReason)")
            } else if exitCode(for: error) == .success {
                // Help, the version and scripts for shells: the argument parser would not see that they are lost.
                let text = fullMessage(for: error)
                if !text.isEmpty { StandardOutput.file([UInt8]((text + "\n").utf8)) }
                endIfOutputIsLost()
            } else {
                exit(withError: error)
            }
            exit(withError: exitStatus(of: error))
        }
    }

    private static var program: String { configuration.commandName ?? "\(Self.self)".lowercased() }

    private static func endIfOutputIsLost() {
        guard let problem = StandardOutput.problem else { return }
        StandardError.line("\(program): \(problem)")
        exit(withError: ExitCode.notUnderstood)
    }
}

extension ParsableArguments {
    /// Returns the error text for wrong arguments. The argument parser repeats the value that it was given; the digits
    /// of PINs are left out.
    package static func refusal(_ error: any Error) -> String {
        fullMessage(for: error).replacing(#/([?&]pin=)[^&'"\s]*/#) { "\($0.output.1)…" }
    }

    /// The exit status that an error ends in: 2 for wrong arguments, and for what no command has foreseen.
    public static func exitStatus(of error: any Error) -> ExitCode {
        let status = exitCode(for: error)
        return status == .validationFailure || isUnforeseen(error) ? .notUnderstood : status
    }

    /// Tells whether an error has no exit status of its own.
    static func isUnforeseen(_ error: any Error) -> Bool {
        exitCode(for: error) == .failure && !(error is ExitCode)
    }
}

extension ExitCode {
    /// The command could not run, here because it makes no sense.
    static let notUnderstood = ExitCode(2)
}

extension Error {
    /// The reason in words, without the names of types and domains that libraries put around it.
    public var plainReason: String {
        switch self {
        case let error as POSIXError: return String(cString: strerror(error.code.rawValue))
        case let error as CocoaError:
            let path = error.filePath.map { "\($0): " } ?? ""
            return path + (error.underlying?.plainReason ?? "the file system refused it, code \(error.code.rawValue)")
        default: return "\(self)"
        }
    }
}

import ArgumentParser
import MeshCore
import MeshTestbed
import PocketMeshServices

/// `meshbed client shell`.
struct ClientShell: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "shell", abstract: "Keep one connection open and enter client commands, a line each.",
        discussion: """
            A line is a command as behind 'meshbed client', with quotes where there are blanks. Messages are printed as \
            they come. 'help' lists the commands, 'quit' or the end of input (Ctrl-D) ends it. Lines that do not come \
            from a terminal are commands of a script: the exit status is 1 when one of them failed.

            Examples:
              meshbed client --db radio.sqlite shell
              echo 'send bob "are you there?"' | meshbed client shell
            """)

    @OptionGroup var options: ClientOptions

    func perform(_ app: ClientApp, _ connection: ClientApp.Connection) async throws -> Bool {
        let arrivals = ArrivalPrinter(isJSON: options.json)
        arrivals.listen(to: connection)
        app.manager.onConnectionReady = {
            guard let connection = try? app.connection() else { return }
            arrivals.listen(to: connection)
        }
        defer { app.manager.onConnectionReady = nil }
        let isGood = await performLines(app, prompt: "\(connection.device.nodeName)> ")
        await arrivals.end()
        return isGood
    }

    /// Runs one line after the other; returns whether all succeeded.
    @MainActor
    private func performLines(_ app: ClientApp, prompt: String) async -> Bool {
        let reader = LineReader()
        var isGood = true
        while let line = await reader.next(prompt: prompt) {
            switch await perform(line: line, app) {
            case .quit: return reader.isInteractive || isGood
            case .failed: isGood = false
            case .done: break
            }
        }
        return reader.isInteractive || isGood
    }

    /// The outcome of a line.
    enum LineEnd: Equatable {
        case done
        case failed
        case quit
    }

    /// Runs a line, and notes what is wrong with it.
    @MainActor
    func perform(line: String, _ app: ClientApp) async -> LineEnd {
        do {
            let words = try Self.words(of: line)
            guard let first = words.first, !first.hasPrefix("#") else { return .done }
            if words == ["quit"] || words == ["exit"] { return .quit }
            return try await perform(Self.command(words, options), app) ? .done : .failed
        } catch let code as ExitCode {
            return code == .success ? .done : .failed
        } catch let error as ShellError {
            Console.note("meshbed client: \(error)")
        } catch let error where Client.exitCode(for: error) == .success {
            // Somebody asked for help.
            Console.out(Client.fullMessage(for: error))
            return .done
        } catch let error where Client.exitCode(for: error) == .validationFailure {
            Console.note(Client.fullMessage(for: error))
        } catch {
            Console.note("meshbed client: \(error)")
        }
        return .failed
    }

    @MainActor
    private func perform(_ command: any ParsableCommand, _ app: ClientApp) async throws -> Bool {
        switch command {
        case is ClientShell: throw ShellError.isShell
        case let command as any ClientCommand:
            return try await command.perform(within: app, try app.connection())
        case var command as any OfflineClientCommand: try await command.run()
        case var command: try command.run()
        }
        return true
    }

    /// The command that words make, with the database and the output of the shell.
    static func command(_ words: [String], _ options: ClientOptions) throws -> any ParsableCommand {
        var inherited: [String] = []
        if let db = options.givenDB { inherited += ["--db", db] }
        if options.json { inherited.append("--json") }
        return try Client.parseAsRoot(inherited + words)
    }

    /// Splits a line into words at blanks.
    ///
    /// Quotes keep words together. A backslash makes the next character an ordinary one, except within single quotes.
    static func words(of line: String) throws(ShellError) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        var isEscaped = false
        for character in line {
            if isEscaped {
                word = (word ?? "") + String(character)
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
                word = word ?? ""
            } else if character == quote {
                quote = nil
            } else if quote == nil, character == "'" || character == "\"" {
                quote = character
                word = word ?? ""
            } else if quote == nil, character.isWhitespace {
                if let finished = word { words.append(finished) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        if let quote { throw .openQuote(quote) }
        if isEscaped { throw .openQuote("\\") }
        return words + [word].compactMap(\.self)
    }
}

/// An error in a line.
enum ShellError: Error, Hashable, CustomStringConvertible {
    case openQuote(Character)
    case isShell

    var description: String {
        switch self {
        case .openQuote(let quote): "the line ends behind an open \(quote)"
        case .isShell: "this is the shell already"
        }
    }
}

import MeshWire

// The command line: what happens before a command is looked up. Source: InfrastructureNodes, "Command line".
extension ServerNode {
    /// Types characters into the serial console; each finished line is run as the console's.
    mutating func readConsole(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let (line, count) = server.console.take(rest)
            rest = rest.dropFirst(count)
            guard let line else { continue }
            let outcome = handleCommand(line, timestamp: 0)
            guard case .reply(let reply) = outcome else { return perform(outcome) }
            guard !reply.isEmpty else { continue }
            server.console.write("  -> ".utf8)
            server.console.writeLine(reply)
        }
    }

    /// Runs a command line; `timestamp` is that of the message, 0 for the serial console.
    mutating func handleCommand(_ line: [UInt8], timestamp: UInt32) -> CommandOutcome {
        var command = CommandLine(line)
        if var loader = server.regionLoader {
            let loaded = loader.take(command.bytes)
            server.regionLoader = loaded == nil ? loader : nil
            if let loaded { server.regions = loaded.table }
            return .reply(loaded?.reply ?? [])
        }
        command.skipSpaces()
        let prefix = command.takePrefix()
        let outcome = run(command, timestamp: timestamp)
        guard case .reply(let reply) = outcome, !prefix.isEmpty else { return outcome }
        return .reply(prefix + reply)
    }

    private mutating func run(_ command: CommandLine, timestamp: UInt32) -> CommandOutcome {
        if server.role == .sensor, let outcome = roleCommand(command, timestamp: timestamp) { return outcome }
        if command.begins("setperm ") {
            let (reply, isChanged) = server.clients.handleSetPermissions(
                command.after("setperm "), identity: core.identity)
            if isChanged { writeClientsSoon() }
            return .text("\(reply)")
        }
        if timestamp == 0, command.is("get acl") {
            server.console.write(server.clients.accessListText())
            return .reply([])
        }
        if server.role != .sensor, let outcome = roleCommand(command, timestamp: timestamp) { return outcome }
        return commonCommand(command, timestamp: timestamp)
    }

    /// Restarts or switches off after a command that does so.
    mutating func perform(_ outcome: CommandOutcome) {
        switch outcome {
        case .reply: break
        case .restart:
            printConsole()
            core.effects.append(.reboot)
        case .powerOff:
            printConsole()
            core.effects.append(.powerOff)
        }
    }
}

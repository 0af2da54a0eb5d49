// Commands that all roles know. Source: infrastructure document §11.3.
extension ServerNode {
    mutating func commonCommand(_ command: CommandLine, timestamp: UInt32) -> CommandOutcome {
        .text("Unknown command")
    }
}

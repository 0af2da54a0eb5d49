public import MeshCompanion

extension ReplayScript {
    /// The commands in it that change a radio, each once, in their order.
    public var changes: [CommandCode] {
        var codes: [CommandCode] = []
        for exchange in exchanges {
            guard let code = exchange.command.first.flatMap(CommandCode.init(rawValue:)), code.row.changesRadio,
                !codes.contains(code)
            else { continue }
            codes.append(code)
        }
        return codes
    }
}

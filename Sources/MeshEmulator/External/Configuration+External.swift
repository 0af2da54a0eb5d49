extension Emulator.Configuration {
    /// As `waiting`; where all endpoints are those of external nodes, nobody else is expected to come.
    var waitingForClients: ClientGate.Rules {
        var rules = waiting
        if !endpoints.isEmpty, endpoints.allSatisfy({ $0.service == .external }) { rules.clients = 0 }
        return rules
    }
}

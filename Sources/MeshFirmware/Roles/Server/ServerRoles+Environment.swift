// What surrounds an infrastructure node; free to change at any time, part by part. The state of its GPS is kept in it, too.
extension Repeater {
    public var environment: Environment {
        get { server.environment }
        set { server.environment = newValue }
    }
}

extension RoomServer {
    public var environment: Environment {
        get { server.environment }
        set { server.environment = newValue }
    }
}

extension Sensor {
    public var environment: Environment {
        get { server.environment }
        set { server.environment = newValue }
    }
}

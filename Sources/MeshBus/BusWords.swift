/// A call of a method: the service, the object, the method and the arguments.
package struct BusRequest: Hashable, Sendable {
    /// The service, as in `org.bluez`.
    package var destination: String
    /// The object, as in `/org/bluez/hci0`.
    package var path: String
    /// The interface, as in `org.bluez.Adapter1`.
    package var interface: String
    /// The method, as in `StartDiscovery`.
    package var method: String
    /// The arguments of the request.
    package var arguments: [BusValue]

    /// A call, not yet made.
    package init(
        _ destination: String, _ path: String, _ interface: String, _ method: String, _ arguments: [BusValue] = []
    ) {
        self.destination = destination
        self.path = path
        self.interface = interface
        self.method = method
        self.arguments = arguments
    }
}

/// A call of a method of an object of ours; each is answered once.
package struct BusCall: Hashable, Sendable {
    /// The caller, as the bus names connections: `:1.42`.
    package let sender: String
    /// The object.
    package let path: String
    /// The interface; empty where the caller named none.
    package let interface: String
    /// The method.
    package let method: String
    /// The arguments of the call.
    package let arguments: [BusValue]
    /// The bus's number of the call.
    let serial: UInt32
    /// True when the caller waits for an answer.
    let wantsAnswer: Bool

    /// A call as it came.
    package init(
        sender: String, path: String, interface: String, method: String, arguments: [BusValue] = [], serial: UInt32 = 0,
        wantsAnswer: Bool = true
    ) {
        self.sender = sender
        self.path = path
        self.interface = interface
        self.method = method
        self.arguments = arguments
        self.serial = serial
        self.wantsAnswer = wantsAnswer
    }
}

/// A signal that a rule of ours has matched.
package struct BusSignal: Hashable, Sendable {
    /// The sender, as the bus names connections.
    package let sender: String
    /// The object.
    package let path: String
    /// The interface.
    package let interface: String
    /// The signal.
    package let name: String
    /// The arguments of the signal.
    package let arguments: [BusValue]

    /// A signal as it came.
    package init(sender: String, path: String, interface: String, name: String, arguments: [BusValue]) {
        self.sender = sender
        self.path = path
        self.interface = interface
        self.name = name
        self.arguments = arguments
    }
}

/// A message that comes from the bus unasked.
package enum BusEvent: Hashable, Sendable {
    /// A signal.
    case signal(BusSignal)
    /// A call of a method of ours; `Bus.answer` or `Bus.refuse` ends it.
    case call(BusCall)
    /// The bus has gone; nothing follows.
    case closed
}

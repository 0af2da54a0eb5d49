/// The reason why the bus refused or failed a request.
package enum BusError: Error, Hashable, Sendable {
    /// The bus does not exist, or does not admit us.
    case unavailable(String)
    /// The service answered with an error, or not at all: the error's name and text.
    case refused(name: String, text: String)
    /// A name, path or value that the bus does not accept.
    case invalid(String)

    /// The connection to the bus has ended, before an answer was there.
    static let gone = BusError.refused(name: "org.freedesktop.DBus.Error.Disconnected", text: "the bus has gone")
    /// The service has not answered in time.
    static let noReply = BusError.refused(name: "org.freedesktop.DBus.Error.NoReply", text: "no answer in time")

    /// True when there is no peer to answer: no bus, no such service, or one that has gone.
    package var meansAbsence: Bool {
        switch self {
        case .unavailable: true
        case .invalid: false
        case .refused(let name, _):
            ["ServiceUnknown", "NameHasNoOwner", "Disconnected", "NoReply", "NoServer", "Spawn"].contains {
                name.hasPrefix("org.freedesktop.DBus.Error.\($0)")
            }
        }
    }
}

// What addresses look like, for help and errors; whatever lists the forms takes them from here.
extension LinkAddress {
    /// A TCP port.
    package static let tcpForm = "tcp://HOST:PORT"
    /// A serial line, at the usual speed.
    package static let serialForm = "serial:PATH"
    /// A serial line of another machine, and one whose server sets it up.
    package static let remoteFormList = RemoteLine.Wire.allCases.map { "\($0.scheme)HOST:PORT" }
    /// A radio in Bluetooth's range.
    package static let bluetoothForm = "ble:RADIO[?via=CONTROLLER]"
    /// The forms that the address of a radio can have.
    package static let radioFormList = [tcpForm, serialForm] + remoteFormList + [bluetoothForm]
    /// The same in a sentence.
    public static let radioForms = sentence(radioFormList)
    /// The same as the name of a value, with no more than their beginnings: `tcp://…|serial:…`.
    package static let radioValueName = radioFormList.map { form in
        // Up to where capital letters stand for what the user has to fill in.
        form.prefix { !$0.isUppercase } + "…"
    }.joined(separator: "|")
    /// The forms that the controller of an emulated radio can have.
    static let controllerFormList = ["ble:hci:tcp=HOST:PORT", "ble:hci0", "ble:hci0?mode=exact", "ble:android-netsim"]
    /// The same in a sentence.
    package static let controllerForms = sentence(controllerFormList)
    /// The forms that the address of a listener can have, in a sentence.
    package static let listenerForms = AddressReader.Purpose.listener.forms

    /// Forms as a sentence lists them: `A, B or C`.
    package static func sentence(_ forms: [String]) -> String {
        guard let last = forms.last, forms.count > 1 else { return forms.joined() }
        return forms.dropLast().joined(separator: ", ") + " or " + last
    }

    /// Reads the address of a radio for a caller that accepts other words, too.
    ///
    /// Where no form fits, the error lists `forms`.
    package init(radio text: some StringProtocol, expecting forms: [String]) throws(LinkError) {
        do {
            try self.init(radio: text)
        } catch {
            guard case .badAddress(let text, "expected \(Self.radioForms)") = error else { throw error }
            throw .badAddress(text, reason: "expected \(Self.sentence(forms))")
        }
    }
}

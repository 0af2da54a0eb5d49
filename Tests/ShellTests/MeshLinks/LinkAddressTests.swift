import MeshCompanion
import MeshTime
import MeshTransports
import Testing

/// The texts that are addresses, their meaning, and their printed form.
@Suite struct LinkAddressTests {
    @Test(arguments: [
        ("tcp://127.0.0.1:5001", LinkAddress.tcp(host: "127.0.0.1", port: 5001), "tcp://127.0.0.1:5001"),
        ("tcp://radio.local", .tcp(host: "radio.local", port: 5000), "tcp://radio.local:5000"),
        ("tcp://radio:65535", .tcp(host: "radio", port: 65_535), "tcp://radio:65535"),
        ("tcp://radio:05001", .tcp(host: "radio", port: 5001), "tcp://radio:5001"),
        ("tcp://[::1]:5000", .tcp(host: "::1", port: 5000), "tcp://[::1]:5000"),
        ("tcp://[fe80::1%eth0]", .tcp(host: "fe80::1%eth0", port: 5000), "tcp://[fe80::1%eth0]:5000"),
        ("tcp://bücher.example:1", .tcp(host: "bücher.example", port: 1), "tcp://bücher.example:1"),
        ("serial:/dev/ttyUSB0", .serial(path: "/dev/ttyUSB0", baud: 115_200), "serial:/dev/ttyUSB0?baud=115200"),
        ("serial:/dev/ttyUSB0?baud=9600", .serial(path: "/dev/ttyUSB0", baud: 9600), "serial:/dev/ttyUSB0?baud=9600"),
        ("serial:./a b", .serial(path: "./a b"), "serial:./a b?baud=115200"),
        ("serial:/dev/a?b?baud=9600", .serial(path: "/dev/a?b", baud: 9600), "serial:/dev/a?b?baud=9600"),
        (
            "ble:MeshCore-alice?via=hci:tcp=127.0.0.1:6402",
            .bluetooth(.init(.name("MeshCore-alice"), via: .tcp(host: "127.0.0.1", port: 6402))),
            "ble:MeshCore-alice?via=hci:tcp=127.0.0.1:6402"
        ),
        (
            "ble:MeshCore-alice?via=android-netsim",
            .bluetooth(.init(.name("MeshCore-alice"), via: .androidNetsim(1))),
            "ble:MeshCore-alice?via=android-netsim"
        ),
        (
            "ble:c0:ff:ee:00:0a:01?via=hci01",
            .bluetooth(.init(.address(0xC0FF_EE00_0A01), via: .desktop(1))), "ble:C0:FF:EE:00:0A:01?via=hci1"
        ),
        (
            "ble:c0:ff:ee:00:0a:01?via=hci01&mode=exact",
            .bluetooth(.init(.address(0xC0FF_EE00_0A01), via: .adapter(1))),
            "ble:C0:FF:EE:00:0A:01?via=hci1&mode=exact"
        ),
        (
            "rfc2217://lab:4000", .remote(.init(host: "lab", port: 4000, wire: .rfc2217)),
            "rfc2217://lab:4000?baud=115200"
        ),
        (
            "rfc2217://[fd00::7]:4000?baud=9600",
            .remote(.init(host: "fd00::7", port: 4000, wire: .rfc2217, baud: 9600)),
            "rfc2217://[fd00::7]:4000?baud=9600"
        ),
        ("socket://lab:4000", .remote(.init(host: "lab", port: 4000, wire: .raw)), "socket://lab:4000"),
        ("ble:AA:BB:CC:DD:EE:FF", .bluetooth(.init(.address(0xAABB_CCDD_EEFF))), "ble:AA:BB:CC:DD:EE:FF"),
        (
            "ble:MeshCore-alice", .bluetooth(.init(.name("MeshCore-alice"), via: .desktop(nil))),
            "ble:MeshCore-alice"
        ),
        (
            "ble:MeshCore-Bob's 🏔️ node: a?via=hci:tcp=[::1]:06402",
            .bluetooth(.init(.name("MeshCore-Bob's 🏔️ node: a"), via: .tcp(host: "::1", port: 6402))),
            "ble:MeshCore-Bob's 🏔️ node: a?via=hci:tcp=[::1]:6402"
        ),
    ])
    func `a radio's address is read, and written again`(text: String, address: LinkAddress, canonical: String) throws {
        #expect(try LinkAddress(radio: text) == address)
        #expect(address.description == canonical)
        #expect(try LinkAddress(radio: canonical) == address)
    }

    @Test(arguments: [
        ("tcp://127.0.0.1:5000", LinkAddress.tcp(host: "127.0.0.1", port: 5000), "tcp://127.0.0.1:5000"),
        ("tcp://0.0.0.0:0", .tcp(host: "0.0.0.0", port: 0), "tcp://0.0.0.0:0"),
        ("tcp://:5001", .tcp(host: "127.0.0.1", port: 5001), "tcp://127.0.0.1:5001"),
        ("tcp://[::]:0", .tcp(host: "::", port: 0), "tcp://[::]:0"),
        ("tcp://localhost:65535", .tcp(host: "localhost", port: 65_535), "tcp://localhost:65535"),
        ("pty:./bob.tty", .pty(path: "./bob.tty"), "pty:./bob.tty"),
        ("pty:/tmp/a b?c=d", .pty(path: "/tmp/a b?c=d"), "pty:/tmp/a b?c=d"),
    ])
    func `a listener's address is read, and written again`(
        text: String, address: LinkAddress, canonical: String
    ) throws {
        #expect(try LinkAddress(listener: text) == address)
        #expect(address.description == canonical)
        #expect(try LinkAddress(listener: canonical) == address)
    }

    @Test(arguments: [
        ("tcp://:5001", LinkAddress.tcp(host: "127.0.0.1", port: 5001), "tcp://127.0.0.1:5001"),
        ("tcp://0.0.0.0:0", .tcp(host: "0.0.0.0", port: 0), "tcp://0.0.0.0:0"),
        ("pty:./bob.tty", .pty(path: "./bob.tty"), "pty:./bob.tty"),
        (
            "ble:hci:tcp=127.0.0.1:6402", .controller(.tcp(host: "127.0.0.1", port: 6402)),
            "ble:hci:tcp=127.0.0.1:6402"
        ),
        ("ble:hci:tcp=phone:06402", .controller(.tcp(host: "phone", port: 6402)), "ble:hci:tcp=phone:6402"),
        ("ble:hci:tcp=[::1]:6402", .controller(.tcp(host: "::1", port: 6402)), "ble:hci:tcp=[::1]:6402"),
        ("ble:hci0", .controller(.desktop(0)), "ble:hci0"),
        ("ble:hci1?mode=exact", .controller(.adapter(1)), "ble:hci1?mode=exact"),
        ("ble:hci007?mode=exact", .controller(.adapter(7)), "ble:hci7?mode=exact"),
        ("ble:android-netsim", .controller(.androidNetsim(1)), "ble:android-netsim"),
        ("ble:android-netsim:02", .controller(.androidNetsim(2)), "ble:android-netsim:2"),
    ])
    func `an endpoint's address is read, and written again`(
        text: String, address: LinkAddress, canonical: String
    ) throws {
        #expect(try LinkAddress(endpoint: text) == address)
        #expect(address.description == canonical)
        #expect(try LinkAddress(endpoint: canonical) == address)
    }

    private static let controllerForms = "ble:hci:tcp=HOST:PORT, ble:hci0, ble:hci0?mode=exact or ble:android-netsim"
    private static let endpointForms = "tcp://HOST:PORT, pty:PATH, \(controllerForms)"
    private static let exact =
        "an adapter has one option, mode=exact, for the whole of it alone, as in ble:hci0?mode=exact"

    @Test(arguments: [
        ("", "expected \(endpointForms)"),
        ("serial:/dev/x", "expected \(endpointForms)"),
        ("tcp://127.0.0.1", "the port is missing, as in tcp://127.0.0.1:5000"),
        ("ble:", "expected \(controllerForms)"),
        ("ble:hci", "expected \(controllerForms)"),
        ("ble:hcix?mode=exact", "expected \(controllerForms)"),
        ("ble:android-netsim:0", "expected \(controllerForms)"),
        ("ble:android-netsim:100", "expected \(controllerForms)"),
        ("ble:android-netsim?mode=exact", "expected \(controllerForms)"),
        ("ble:hci65535?mode=exact", "expected \(controllerForms)"),
        ("ble:hci0?", Self.exact),
        ("ble:hci0?mode=desktop", Self.exact),
        ("ble:hci0?mode=exact&mode=exact", Self.exact),
        ("ble:C0:FF:EE:00:00:01?via=hci1", "expected \(controllerForms)"),
        ("ble:hci:tcp=", "the host is missing, as in hci:tcp=127.0.0.1:5000"),
        ("ble:hci:tcp=:6402", "the host is missing, as in hci:tcp=127.0.0.1:5000"),
        ("ble:hci:tcp=phone", "the port is missing, as in hci:tcp=127.0.0.1:5000"),
        ("ble:hci:tcp=phone:0", "the port is not a number from 1 to 65535"),
        ("ble:hci:tcp=phone:", "the port is not a number from 1 to 65535"),
        ("ble:hci:tcp=::1:6402", "an IPv6 address needs brackets, as in hci:tcp=[::1]:5000"),
        ("ble:hci:tcp=[::1", "the closing bracket is missing, as in hci:tcp=[::1]:5000"),
        ("ble:hci:tcp=me@phone:1", "the host has a character that no name or address has"),
    ])
    func `what is no address of an endpoint is refused with its text and the reason`(text: String, reason: String) {
        let error = #expect(throws: LinkError.self) { try LinkAddress(endpoint: text) }

        #expect(error == .badAddress(text, reason: reason))
    }

    @Test func `a controller is no place to listen at, and is dialed as it is`() {
        let controller = LinkAddress.controller(.tcp(host: "::1", port: 6402))
        #expect(controller.dialed == controller)
        #expect(!controller.isLine)
        #expect(throws: LinkError.self) { try LinkAddress(listener: "\(controller)") }
        #expect(throws: LinkError.self) { try LinkAddress(control: "\(controller)") }
        #expect(
            "\(LinkError.unreachable(controller, reason: "Connection refused"))"
                == "Bluetooth controller at ::1 port 6402: Connection refused")
        #expect("\(LinkError.unreachable(.controller(.desktop(nil)), reason: "off"))" == "Bluetooth: off")
        #expect(
            "\(LinkError.unreachable(.controller(.adapter(1)), reason: "no such device"))"
                == "Bluetooth adapter hci1: no such device")
        let beside = LinkError.unreachable(.controller(.desktop(1)), reason: "it is off")
        #expect("\(beside)" == "Bluetooth adapter hci1: it is off")
    }

    // MARK: Bluetooth radios

    private static let alice = LinkAddress.bluetooth(
        .init(.name("MeshCore-alice"), via: .tcp(host: "127.0.0.1", port: 6402), pin: 654_321))

    @Test(arguments: [
        "ble:MeshCore-alice?via=hci:tcp=127.0.0.1:6402&pin=654321",
        "ble:MeshCore-alice?pin=654321&via=hci:tcp=127.0.0.1:6402",
    ])
    func `the PIN of a radio is read and never printed`(text: String) throws {
        let radio = try LinkAddress(radio: text)

        #expect(radio == Self.alice)
        var dumped = ""
        dump(radio, to: &dumped)
        for printed in ["\(radio)", radio.brief, dumped, "\(LinkError.unreachable(radio, reason: "far away"))"] {
            #expect(!printed.contains("654321") && !printed.contains("654_321"), "\(printed)")
        }
        #expect("\(radio)" == "ble:MeshCore-alice?via=hci:tcp=127.0.0.1:6402")
        #expect(radio.dialed == radio && !radio.isLine)
        #expect(
            "\(LinkError.unreachable(radio, reason: "far away"))" == "MeshCore-alice over Bluetooth: far away")
    }

    @Test func `a PIN may begin with zeros`() throws {
        guard case .bluetooth(let radio) = try LinkAddress(radio: "ble:a?via=hci0&pin=000007") else { return }
        #expect(radio.pin == 7)
    }

    @Test(arguments: [
        ("ble:a?via=hci0&pin=12345", "ble:a?via=hci0&pin=…"), ("ble:a?pin=12345&via=hci0", "ble:a?pin=…&via=hci0"),
        ("ble:a?pin=1234567&via=hci0", "ble:a?pin=…&via=hci0"), ("ble:a?via=hci0&pin=", "ble:a?via=hci0&pin=…"),
        ("ble:a?via=hci0&pin=12345x", "ble:a?via=hci0&pin=…"), ("ble:a?pin=+12345&via=hci0", "ble:a?pin=…&via=hci0"),
        ("ble:a?pin=1&pin=123456", "ble:a?pin=…&pin=…"),
    ])
    func `a PIN that has not six digits is refused, and not printed either`(text: String, printed: String) {
        #expect(throws: LinkError.badAddress(printed, reason: "a PIN has six digits, as in pin=123456")) {
            try LinkAddress(radio: text)
        }
    }

    @Test func `a rig's address names host and port`() throws {
        #expect(try LinkAddress(control: "tcp://rig:5999") == .tcp(host: "rig", port: 5999))
        for text in ["tcp://rig", "tcp://:5999", "tcp://rig:0", "serial:/dev/ttyUSB0", "pty:rig.tty", "5999"] {
            #expect(throws: LinkError.self) { try LinkAddress(control: text) }
        }
    }

    @Test func `a control API's address is that of a TCP port on this machine, unless another host is named`() throws {
        for (text, address) in [
            ("http://127.0.0.1:0", LinkAddress.freePort), ("http://:8080", .tcp(host: "127.0.0.1", port: 8080)),
            ("http://[::1]:8080", .tcp(host: "::1", port: 8080)), ("http://bench:1", .tcp(host: "bench", port: 1)),
        ] {
            let read = try LinkAddress(web: text)

            #expect(read == address)
            #expect(try LinkAddress(web: #require(read.web)) == address)
        }
        #expect(LinkAddress.pty(path: "a.tty").web == nil)
    }

    @Test(arguments: [
        ("tcp://127.0.0.1:1", "expected http://HOST:PORT"), ("https://127.0.0.1:1", "expected http://HOST:PORT"),
        ("127.0.0.1:1", "expected http://HOST:PORT"), ("pty:a", "expected http://HOST:PORT"),
        ("ble:hci0", "Bluetooth is not among its forms, expected http://HOST:PORT"),
        ("http://127.0.0.1", "the port is missing, as in http://127.0.0.1:5000"),
        ("http://127.0.0.1:1/", "the port is not a number from 0 to 65535"),
        ("http://me@bench:1", "the host has a character that no name or address has"),
    ])
    func `what is no address of a control API is refused with its text and the reason`(text: String, reason: String) {
        let error = #expect(throws: LinkError.self) { try LinkAddress(web: text) }

        #expect(error == .badAddress(text, reason: reason))
    }

    private static let forms =
        "expected tcp://HOST:PORT, serial:PATH, rfc2217://HOST:PORT, socket://HOST:PORT or ble:RADIO[?via=CONTROLLER]"
    private static let noRadio =
        "the radio is missing or too long: its address, as in AA:BB:CC:DD:EE:FF, or its name"
    private static let badName = "the name has a character that no address can hold; take the radio's device address"
    private static let badController =
        "the controller is none, expected via=hci0, via=hci:tcp=HOST:PORT or via=android-netsim"
    private static let badOption =
        "its options are via=CONTROLLER, mode=exact and pin=DIGITS, each of them once; names have no ? and no &"
    private static let badMode = "mode=exact takes an adapter of this machine, as in via=hci0&mode=exact"

    @Test(arguments: [
        ("radio", Self.forms), ("", Self.forms),
        ("ble:AA:BB?via=hci0", "a device address has six pairs of hexadecimal digits, as in AA:BB:CC:DD:EE:FF"),
        (
            "ble:AA:BB:CC:DD:EE:F?via=hci0",
            "a device address has six pairs of hexadecimal digits, as in AA:BB:CC:DD:EE:FF"
        ),
        ("ble:hci:tcp=127.0.0.1:6402", "names a controller and no radio, as in ble:MeshCore-alice"),
        ("ble:hci1?mode=exact", "names a controller and no radio, as in ble:MeshCore-alice"),
        ("ble:?via=hci0", Self.noRadio), ("ble:", Self.noRadio),
        ("ble:a\u{0}b?via=hci0", Self.badName), ("ble:a\u{202E}b?via=hci0", Self.badName),
        ("ble:a?b?via=hci0", Self.badName), ("ble:a&b?via=hci0", Self.badName),
        ("ble:a?via=", Self.badController), ("ble:a?via=bluetoothd", Self.badController),
        ("ble:a?via=hci:tcp=phone", "the port is missing, as in hci:tcp=127.0.0.1:5000"),
        ("ble:a?via=hci0&via=hci1", Self.badOption), ("ble:a?via=hci0&mode=desktop", Self.badOption),
        ("ble:a?mode=exact", Self.badMode), ("ble:a?via=hci:tcp=a:1&mode=exact", Self.badMode),
        ("ble:a?mode=exact&via=hci0&mode=exact", Self.badOption),
        ("ble:a?via=hci0&", Self.badOption), ("ble:a?", Self.badOption),
        ("tcp:radio", Self.forms),
        ("TCP://radio", Self.forms),
        (" tcp://radio", Self.forms),
        ("pty:alice.tty", Self.forms),
        ("tcp://", "the host is missing, as in tcp://127.0.0.1:5000"),
        ("tcp://:5000", "the host is missing, as in tcp://127.0.0.1:5000"),
        ("tcp://radio:", "the port is not a number from 1 to 65535"),
        ("tcp://radio:0", "the port is not a number from 1 to 65535"),
        ("tcp://radio:65536", "the port is not a number from 1 to 65535"),
        ("tcp://radio:99999999999999999999", "the port is not a number from 1 to 65535"),
        ("tcp://radio:x", "the port is not a number from 1 to 65535"),
        ("tcp://radio:+1", "the port is not a number from 1 to 65535"),
        ("tcp://radio:-1", "the port is not a number from 1 to 65535"),
        ("tcp://radio:1 ", "the port is not a number from 1 to 65535"),
        ("tcp://radio:5000/", "the port is not a number from 1 to 65535"),
        ("tcp://radio:٥٠٠٠", "the port is not a number from 1 to 65535"),
        ("tcp://::1:5000", "an IPv6 address needs brackets, as in tcp://[::1]:5000"),
        ("tcp://::1", "an IPv6 address needs brackets, as in tcp://[::1]:5000"),
        ("tcp://[::1", "the closing bracket is missing, as in tcp://[::1]:5000"),
        ("tcp://[::1]5000", "a port follows the bracket, as in tcp://[::1]:5000"),
        ("tcp://[radio]:5000", "brackets are for IPv6 addresses, as in tcp://[::1]:5000"),
        ("tcp://[]:5000", "brackets are for IPv6 addresses, as in tcp://[::1]:5000"),
        ("tcp://me@radio", "the host has a character that no name or address has"),
        ("tcp://radio/path", "the host has a character that no name or address has"),
        ("tcp://ra dio", "the host has a character that no name or address has"),
        ("tcp://ra\ndio", "the host has a character that no name or address has"),
        ("tcp://ra\u{0}dio", "the host has a character that no name or address has"),
        ("tcp://ra\u{202E}dio", "the host has a character that no name or address has"),
        ("serial:", "the line is missing, as in serial:/dev/ttyUSB0"),
        ("serial:?baud=9600", "the line is missing, as in serial:/dev/ttyUSB0"),
        ("serial:/dev/x?baud=300", "the baud rate is none of \(SerialLine.bauds)"),
        ("serial:/dev/x?baud=fast", "the baud rate is none of \(SerialLine.bauds)"),
        ("serial:/dev/x?baud=", "the baud rate is none of \(SerialLine.bauds)"),
        ("serial:/dev/x?baud=+9600", "the baud rate is none of \(SerialLine.bauds)"),
        ("serial:/dev/x?speed=9600", "\"speed=9600\" is no option, expected baud=RATE"),
        ("serial:/dev/x?baud=9600&baud=9600", "\"baud=9600&baud=9600\" is no option, expected baud=RATE"),
        ("serial:/dev/x\u{0}y", "a path has no NUL character"),
        ("rfc2217://lab", "the port is missing, as in rfc2217://127.0.0.1:5000"),
        ("rfc2217://lab:4000?baud=300", "the baud rate is none of \(SerialLine.bauds)"),
        ("rfc2217://lab:4000?x=1", "\"x=1\" is no option, expected baud=RATE"),
        ("socket://:4000", "the host is missing, as in socket://127.0.0.1:5000"),
        ("socket://lab:4000?baud=9600", "has no option: the server sets the speed of its line"),
    ])
    func `what is no address of a radio is refused with its text and the reason`(text: String, reason: String) {
        let error = #expect(throws: LinkError.self) { try LinkAddress(radio: text) }

        #expect(error == .badAddress(text, reason: reason))
        #expect(error?.description == "address \"\(text)\": \(reason)")
        #expect(error?.reason == reason)
    }

    @Test(arguments: [
        ("", "expected tcp://HOST:PORT or pty:PATH"), ("127.0.0.1:5000", "expected tcp://HOST:PORT or pty:PATH"),
        ("udp://127.0.0.1:1", "expected tcp://HOST:PORT or pty:PATH"),
        ("serial:/dev/x", "expected tcp://HOST:PORT or pty:PATH"),
        ("tcp://", "the port is missing, as in tcp://127.0.0.1:5000"),
        ("tcp://127.0.0.1", "the port is missing, as in tcp://127.0.0.1:5000"),
        ("tcp://[::1]", "the port is missing, as in tcp://127.0.0.1:5000"),
        ("tcp://127.0.0.1:", "the port is not a number from 0 to 65535"),
        ("tcp://127.0.0.1:65536", "the port is not a number from 0 to 65535"),
        ("tcp://127.0.0.1:-1", "the port is not a number from 0 to 65535"),
        ("tcp://::1:5000", "an IPv6 address needs brackets, as in tcp://[::1]:5000"),
        ("pty:", "the path is missing, as in pty:./radio.tty"), ("pty:a\u{0}b", "a path has no NUL character"),
    ])
    func `what is no address of a listener is refused with its text and the reason`(text: String, reason: String) {
        let error = #expect(throws: LinkError.self) { try LinkAddress(listener: text) }

        #expect(error == .badAddress(text, reason: reason))
    }

    /// Refuses a mark on a colon or a bracket, which a reader of characters would not see.
    @Test func `a mark that is joined to a colon or a bracket does not hide it`() {
        #expect(throws: LinkError.self) { try LinkAddress(radio: "tcp://radio:\u{301}5000") }
        #expect(throws: LinkError.self) { try LinkAddress(radio: "tcp://[::1]\u{301}:5000") }
        #expect(throws: LinkError.self) { try LinkAddress(radio: "serial:/dev/x?\u{301}baud=9600") }
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `what is printed is read as the same address`(seed: UInt64) throws {
        var draws = Draws(seed)
        for _ in 0..<250 {
            let radio = draws.radio()
            let listener = draws.listener()
            let dialed = listener.withPort.dialed

            try #require(try LinkAddress(radio: radio.description) == radio, "\(radio)")
            try #require(try LinkAddress(radio: radio.brief) == radio, "\(radio)")
            try #require(try LinkAddress(listener: listener.description) == listener, "\(listener)")
            try #require(try LinkAddress(radio: dialed.description) == dialed, "\(dialed)")
            let controller = LinkAddress.controller(draws.controller())
            try #require(try LinkAddress(endpoint: controller.description) == controller, "\(controller)")
            if case .tcp = radio { try #require(try LinkAddress(control: radio.description) == radio, "\(radio)") }
        }
    }

    /// Prints each accepted text in a form that means the same.
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `hostile texts are refused, or mean what their printed form means`(seed: UInt64) throws {
        let readers: [(String) throws -> LinkAddress] = [
            LinkAddress.init(radio:), LinkAddress.init(listener:), LinkAddress.init(endpoint:),
            LinkAddress.init(control:),
        ]
        var draws = Draws(seed)
        var taken = 0
        for _ in 0..<500 {
            let text = draws.hostileText()
            for read in readers {
                do {
                    let address = try read(text)
                    let again = try read(address.description)
                    if again == address.withoutPIN {
                        taken += 1
                    } else {
                        Issue.record("\(text.debugDescription): \(address)")
                    }
                } catch let error as LinkError {
                    // What may be a PIN is not repeated.
                    let isMasked = text.utf8.starts(with: "ble:".utf8) && Array(text.utf8).contains("pin=".utf8)
                    if error != .badAddress(text, reason: error.reason), !isMasked {
                        Issue.record("\(text.debugDescription): \(error)")
                    }
                }
            }
        }

        #expect(taken > 0, "no text is taken: nothing was shown")
    }

    @Test func `a terminal is dialed as a serial line, and all else as it is`() {
        #expect(LinkAddress.pty(path: "./a.tty").dialed == .serial(path: "./a.tty", baud: 115_200))
        for address in [LinkAddress.tcp(host: "a", port: 1), .serial(path: "/dev/x", baud: 9600)] {
            #expect(address.dialed == address)
        }
    }

    @Test func `the usual rate of a line may be left out, unless it would be read as something else`() {
        #expect(LinkAddress.serial(path: "/dev/x").brief == "serial:/dev/x")
        #expect(LinkAddress.serial(path: "/dev/x", baud: 9600).brief == "serial:/dev/x?baud=9600")
        #expect(LinkAddress.serial(path: "/dev/x?baud=9600").brief == "serial:/dev/x?baud=9600?baud=115200")
        #expect(LinkAddress.tcp(host: "::1", port: 5000).brief == "tcp://[::1]:5000")
    }

    @Test func `the port of an address without one is the firmware's`() {
        #expect(LinkAddress.defaultPort == CompanionLimits.tcpPort)
        #expect(SerialLine.bauds.contains(SerialLine.defaultBaud))
    }
}

extension LinkAddress {
    /// The address as it is when it is open.
    fileprivate var withPort: LinkAddress {
        if case .tcp(let host, 0) = self { .tcp(host: host, port: 4321) } else { self }
    }

    /// The address as it is printed.
    fileprivate var withoutPIN: LinkAddress {
        guard case .bluetooth(var radio) = self else { return self }
        radio.pin = nil
        return .bluetooth(radio)
    }
}

/// Addresses and texts by seed.
private struct Draws {
    private var stream: RandomStream

    init(_ seed: UInt64) {
        stream = Seed(seed).stream("addresses")
    }

    private mutating func one<T>(of list: [T]) -> T { list[Int(stream.draw(0, UInt32(list.count)))] }

    private mutating func text(of characters: String, from low: UInt32, to high: UInt32) -> String {
        let characters = Array(characters)
        return String((0..<stream.draw(low, high)).map { _ in one(of: characters) })
    }

    private mutating func host() -> String {
        switch stream.draw(0, 3) {
        case 0: text(of: "abc019.-_ü", from: 1, to: 30)
        case 1: (0..<4).map { _ in "\(stream.draw(0, 256))" }.joined(separator: ".")
        default: text(of: "0123456789abcdef:", from: 1, to: 30) + "::1" + text(of: "%", from: 0, to: 2)
        }
    }

    private mutating func path() -> String { text(of: "/.abc?=&:[] ü\n", from: 1, to: 40) }

    mutating func radio() -> LinkAddress {
        switch stream.draw(0, 3) {
        case 0: return .tcp(host: host(), port: UInt16(stream.draw(1, 65_536)))
        case 1: return .bluetooth(.init(peer(), via: way()))
        default: break
        }
        return .serial(path: path(), baud: one(of: SerialLine.bauds))
    }

    mutating func listener() -> LinkAddress {
        if stream.draw(0, 2) == 0 { return .tcp(host: host(), port: UInt16(stream.draw(0, 65_536))) }
        return .pty(path: path())
    }

    private mutating func peer() -> BluetoothRadio.Peer {
        if stream.draw(0, 2) == 0 { return .address(UInt64(stream.draw(0, .max)) << 16 | 0xA5) }
        return .name("MeshCore-" + text(of: "abc %=:.,'ü🏔/[]", from: 0, to: 31))
    }

    private mutating func way() -> BluetoothController {
        switch stream.draw(0, 4) {
        case 0: .desktop(nil)
        case 1: .desktop(Int(stream.draw(0, 0xFFFF)))
        default: controller()
        }
    }

    mutating func controller() -> BluetoothController {
        if stream.draw(0, 2) == 0 { return .adapter(Int(stream.draw(0, 0xFFFF))) }
        return .tcp(host: host(), port: UInt16(stream.draw(1, 65_536)))
    }

    mutating func hostileText() -> String {
        let pieces = [
            "tcp://", "serial:", "pty:", "ble:hci:tcp=", "[", "]", "::1", ":", "?", "baud=", "9600", "0", "5000",
            "65536", "/", "&",
            "a", "AA:BB:CC:DD:EE:FF", "?via=", "hci0", "hci:tcp=", "&pin=", "123456", "mode=exact",
            "\u{0}", "\n", "\u{301}", "\u{202E}", "%", "@", "ü", " ", "\u{FEFF}", "\r\n",
        ]
        let start = one(of: ["tcp://", "serial:", "pty:", "ble:", "ble:hci:tcp=", "ble:a?via=hci0", ""])
        return start + (0..<stream.draw(0, 8)).map { _ in one(of: pieces) }.joined()
    }
}

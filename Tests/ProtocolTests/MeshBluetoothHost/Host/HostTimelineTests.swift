import MeshTime
import MeshWire
import Testing

@testable import MeshBluetoothHost

/// A host as a radio and one as an app, from the first advertisement to the end, on time that the test passes.
@Suite struct HostTimelineTests {
    static let (rx, tx): (UInt16, UInt16) = (0x12, 0x14)
    static let advertisement = BluetoothHost.Advertisement(
        data: AdvertisedData.flags() + AdvertisedData.services([.nordicUART]),
        scanResponse: AdvertisedData.name("MeshCore-alice".utf8))

    /// A node whose attributes need no pairing.
    static func radio(_ access: ATT.Access = .open) -> BluetoothHost.Settings {
        var settings = BluetoothHost.Settings()
        settings.attributes.addService(BluetoothUUID(0x1800))
        settings.attributes.addCharacteristic(.deviceName, [.read], value: Array("alice".utf8), read: .open)
        settings.attributes.addService(.nordicUART, at: 0x10)
        settings.attributes.addCharacteristic(.nordicRX, [.write, .writeWithoutResponse], write: access)
        settings.attributes.addCharacteristic(.nordicTX, [.notify, .indicate], configuration: access)
        return settings
    }

    static func app(mtu: UInt16 = 517) -> BluetoothHost.Settings {
        var settings = BluetoothHost.Settings()
        settings.clientMTU = mtu
        return settings
    }

    /// Both are ready, and connected.
    static func connected(
        mtu: UInt16 = 517, dataSize: UInt16 = 27, radio: BluetoothHost.Settings = radio()
    ) throws -> TestAir {
        var air = TestAir(peripheral: radio, central: app(mtu: mtu), dataSize: dataSize)
        air.start()
        try air.ask(TestAir.peripheral, .advertise(advertisement))
        try air.ask(TestAir.central, .connect(air.sides[0].address))
        try #require(air.sides.allSatisfy { $0.host.openLinks.count == 1 })
        for side in 0...1 { _ = air.told(side) }
        return air
    }

    @Test func `a controller is set up, and says what it is`() {
        var air = TestAir(peripheral: Self.radio(), central: Self.app(), dataSize: 251, dataCount: 8)
        #expect(throws: BluetoothHost.Refusal.notReady) { try air.ask(0, .stopAdvertising) }

        air.start()

        for side in 0...1 {
            guard case .ready(let controller) = air.told(side).first else {
                Issue.record("not ready")
                continue
            }
            #expect(controller.address == air.sides[side].address)
            #expect((controller.dataSize, controller.dataCount, controller.manufacturer) == (251, 8, 0x5F))
            #expect(air.sides[side].host.deadline == nil)
        }
    }

    @Test func `an app finds the radio by its service, and only that`() throws {
        var air = TestAir(peripheral: Self.radio(), central: Self.app())
        air.start()
        try air.ask(1, .scan(.init(service: .nordicUART)))
        #expect(throws: BluetoothHost.Refusal.busy) { try air.ask(1, .scan(.init())) }
        _ = air.told(1)
        try air.ask(0, .advertise(Self.advertisement))
        #expect(throws: BluetoothHost.Refusal.busy) { try air.ask(0, .advertise(Self.advertisement)) }

        let found = air.told(1).compactMap { if case .found(let device) = $0 { device } else { nil } }
        #expect(found.map(\.facts.name) == [nil, "MeshCore-alice"])
        #expect(found.allSatisfy { $0.isConnectable && $0.address == air.sides[0].address && $0.rssi == -60 })
        // Heard again, it says nothing new.
        try air.ask(0, .stopAdvertising)
        try air.ask(0, .advertise(Self.advertisement))
        #expect(air.told(1).isEmpty)
        try air.ask(1, .stopScanning)
        #expect(air.told(1) == [.scanning(false)])
        try air.ask(1, .scan(.init(service: BluetoothUUID(0x180F))))
        #expect(air.told(1) == [.scanning(true)])
    }

    @Test(arguments: [23, 24, 50, 185, 247, 517] as [UInt16])
    func `a session of an app passes, whatever the MTU`(mtu: UInt16) throws {
        var air = try Self.connected(mtu: mtu)
        let (radio, app) = (try air.link(0), try air.link(1))
        try air.ask(1, .exchangeMTU(app))
        #expect(air.told(0) == [.mtu(radio, Int(mtu))] && air.told(1) == [.mtu(app, Int(mtu))])
        #expect(throws: BluetoothHost.Refusal.noSuchAttribute(Self.tx)) {
            try air.ask(1, .subscribe(app, value: Self.tx, .notifications))
        }
        try air.ask(1, .discover(app, service: .nordicUART))
        guard case .discovered(_, let database) = air.told(1).last else {
            Issue.record("nothing discovered")
            return
        }
        #expect(database.characteristic(.nordicTX)?.value == Self.tx)
        #expect(throws: BluetoothHost.Refusal.notSubscribed(Self.tx)) {
            try air.ask(0, .notify(radio, handle: Self.tx, value: [1]))
        }
        try air.ask(1, .subscribe(app, value: Self.tx, [.notifications, .indications]))
        #expect(air.told(1) == [.accepted(app, handle: Self.tx + 1)])
        _ = air.told(0)

        let longest = min(Int(mtu) - 3, ATT.maximumValue)
        let frame = (0..<longest).map { UInt8(truncatingIfNeeded: $0) }
        try air.ask(1, .write(app, handle: Self.rx, value: frame, withResponse: false))
        try air.ask(1, .write(app, handle: Self.rx, value: frame, withResponse: true))
        let written = BluetoothHost.Event.written(radio, handle: Self.rx, value: frame)
        #expect(air.told(0) == [written, written] && air.told(1) == [.accepted(app, handle: Self.rx)])
        try air.ask(0, .notify(radio, handle: Self.tx, value: [UInt8]((frame + [1, 2, 3]).prefix(512))))
        try air.ask(0, .indicate(radio, handle: Self.tx, value: [9]))
        #expect(
            air.told(1) == [.notified(app, handle: Self.tx, value: frame), .notified(app, handle: Self.tx, value: [9])])
        #expect(air.told(0) == [.confirmed(radio, handle: Self.tx)])
        #expect(throws: BluetoothHost.Refusal.tooLong(limit: longest)) {
            try air.ask(1, .write(app, handle: Self.rx, value: frame + [0], withResponse: false))
        }

        try air.ask(1, .disconnect(app))
        #expect(air.told(1) == [.disconnected(app, reason: 0x16)])
        #expect(air.told(0) == [.disconnected(radio, reason: 0x13)])
        #expect(throws: BluetoothHost.Refusal.noSuchLink) { try air.ask(0, .notify(radio, handle: Self.tx, value: [])) }
        #expect(air.sides.allSatisfy { $0.host.deadline == nil })
    }

    @Test func `intervals are asked for by the radio, and set by the app`() throws {
        var air = try Self.connected()
        let (radio, app) = (try air.link(0), try air.link(1))
        let wanted = BluetoothHost.ConnectionParameters(
            shortestInterval: 12, longestInterval: 24, latency: 0, timeout: 400)
        var impossible = wanted
        impossible.timeout = 5

        try air.ask(0, .updateParameters(radio, wanted))

        let set = BluetoothHost.ConnectionParameters(
            shortestInterval: 24, longestInterval: 24, latency: 0, timeout: 400)
        #expect(air.told(0) == [.parameters(radio, set)] && air.told(1) == [.parameters(app, set)])
        #expect(throws: BluetoothHost.Refusal.outOfRange) { try air.ask(0, .updateParameters(radio, impossible)) }
    }

    @Test func `a queue that is full refuses, and says when there is room`() throws {
        var settings = Self.radio()
        settings.queueLimit = 4
        var air = try Self.connected(radio: settings)
        let (radio, app) = (try air.link(0), try air.link(1))
        try air.ask(1, .discover(app, service: nil))
        try air.ask(1, .subscribe(app, value: Self.tx, .notifications))
        for side in 0...1 { _ = air.told(side) }
        // The controller gives no buffers back any more.
        air.holdsBuffers = true
        var count = 0
        var refusal: BluetoothHost.Refusal?
        while refusal == nil, count < 100 {
            do throws(BluetoothHost.Refusal) {
                try air.ask(0, .notify(radio, handle: Self.tx, value: [UInt8(count)]))
                count += 1
            } catch {
                refusal = error
            }
        }

        #expect(refusal == .overflow(limit: 4) && count <= 3 + 4)
        #expect(air.sides[0].host.waiting(on: radio) == 4)
        air.holdsBuffers = false
        air.pass(.zero)
        #expect(air.told(0) == [.hasRoom(radio)])
        let values = air.told(1).compactMap { if case .notified(_, _, let value) = $0 { value.first } else { nil } }
        #expect(values == (0..<count).map { UInt8($0) })
    }

    @Test func `a second central is sent away while one is connected`() throws {
        var air = try Self.connected()
        var complete = HCI.ConnectionComplete()
        (complete.handle, complete.role) = (0x41, 1)
        complete.peer = FixedBytes([0xCC])

        air.event(0, .connected(complete))
        air.pass(.zero)

        #expect(air.told(0) == [.turnedAway(BluetoothAddress(number: 0xCC, isRandom: false))])
        #expect(air.disconnected == [0x41])
        #expect(air.sides[0].host.openLinks.count == 1)
        #expect(throws: BluetoothHost.Refusal.busy) { try air.ask(0, .advertise(Self.advertisement)) }
    }

    @Test func `a connection that does not come about is given up`() throws {
        var air = TestAir(peripheral: Self.radio(), central: Self.app())
        air.start()
        let peer = air.sides[0].address
        try air.ask(1, .connect(peer))
        #expect(throws: BluetoothHost.Refusal.busy) { try air.ask(1, .connect(peer)) }
        _ = air.told(1)

        air.pass(.milliseconds(29_999))
        #expect(air.told(1).isEmpty)
        air.pass(.milliseconds(1))
        #expect(air.told(1) == [.connectFailed(peer, status: 0x3C)])
        try air.ask(1, .connect(peer))
        try air.ask(1, .cancelConnect)
        #expect(air.told(1) == [.connectFailed(peer, status: 0x02)])
        try air.ask(0, .advertise(Self.advertisement))
        try air.ask(1, .connect(peer))
        #expect(air.sides[1].host.openLinks.count == 1)
    }

    @Test func `a device is heard in whichever form its controller reports it`() throws {
        var air = TestAir(peripheral: Self.radio(), central: Self.app())
        air.start()
        try air.ask(1, .scan(.init(service: .nordicUART)))
        _ = air.told(1)
        let (whole, name) = (Self.advertisement.data, Self.advertisement.scanResponse)
        // In two parts, then the answer to the scan.
        for (type, data) in [(0x21, whole.prefix(9)), (0x01, whole.dropFirst(9)), (0x0B, name[...])] {
            var report = HCI.ExtendedAdvertisingReport()
            (report.eventType, report.data) = (UInt16(type), [UInt8](data))
            report.address = FixedBytes(air.sides[0].address.bytes.reversed())
            air.event(1, .extendedAdvertising(.init([report])))
        }
        air.pass(.zero)

        let found = air.told(1).compactMap { if case .found(let device) = $0 { device } else { nil } }
        #expect(found.map(\.facts.name) == [nil, "MeshCore-alice"])
        #expect(found.allSatisfy { $0.isConnectable && $0.data == whole })
    }
}

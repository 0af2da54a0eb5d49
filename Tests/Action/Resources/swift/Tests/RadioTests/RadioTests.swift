import Glibc
import Testing

@testable import Radio

@Test func `the radio says its name, as CMP-044 has it`() throws {
    let port = getenv("RADIO_PORT").flatMap { UInt16(String(cString: $0)) } ?? 5000

    #expect(try Radio(port: port).name() == "alice")
}

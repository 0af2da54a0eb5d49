import MeshWire

// Long, since it is a table: what the specification calls commands and events (Bluetooth Core, Vol 4 Part E, 7).
extension HCI {
    /// The name of a command, `LE Set Random Address`; its opcode in hex where it has none here.
    package static func name(ofCommand opcode: UInt16) -> String {
        if let name = commandNames[opcode] { return name }
        // Group 0x3F is the vendors'.
        let hex = "0x" + [UInt8(opcode >> 8), UInt8(truncatingIfNeeded: opcode)].hex
        return (opcode >> 10 == 0x3F ? "Vendor Command " : "Command ") + hex
    }

    /// The name of an event; `lowEnergy` is the first parameter of a low-energy one.
    package static func name(ofEvent code: UInt8, lowEnergy: UInt8? = nil) -> String {
        if code == EventCode.lowEnergy, let lowEnergy {
            return lowEnergyNames[lowEnergy] ?? "LE Event 0x" + [lowEnergy].hex
        }
        if let name = eventNames[code] { return name }
        return (code == 0xFF ? "Vendor Event 0x" : "Event 0x") + [code].hex
    }

    private static let commandNames: [UInt16: String] = [
        0x0401: "Inquiry", 0x0402: "Inquiry Cancel", 0x0405: "Create Connection", 0x0406: "Disconnect",
        0x0409: "Accept Connection Request", 0x040B: "Link Key Request Reply",
        0x040C: "Link Key Request Negative Reply", 0x040D: "PIN Code Request Reply",
        0x0411: "Authentication Requested", 0x0413: "Set Connection Encryption", 0x0419: "Remote Name Request",
        0x041B: "Read Remote Supported Features", 0x041D: "Read Remote Version Information",
        0x042C: "User Confirmation Request Reply", 0x042E: "User Passkey Request Reply",
        0x080F: "Write Default Link Policy Settings", 0x0C01: "Set Event Mask", 0x0C03: "Reset",
        0x0C05: "Set Event Filter", 0x0C0D: "Read Stored Link Key", 0x0C11: "Write Stored Link Key",
        0x0C12: "Delete Stored Link Key", 0x0C13: "Write Local Name", 0x0C14: "Read Local Name",
        0x0C16: "Write Connection Accept Timeout", 0x0C18: "Write Page Timeout", 0x0C1A: "Write Scan Enable",
        0x0C1C: "Write Page Scan Activity", 0x0C1E: "Write Inquiry Scan Activity", 0x0C23: "Read Class of Device",
        0x0C24: "Write Class of Device", 0x0C25: "Read Voice Setting", 0x0C26: "Write Voice Setting",
        0x0C33: "Host Buffer Size", 0x0C38: "Read Number Of Supported IAC", 0x0C39: "Read Current IAC LAP",
        0x0C43: "Write Inquiry Scan Type", 0x0C45: "Write Inquiry Mode", 0x0C47: "Write Page Scan Type",
        0x0C52: "Write Extended Inquiry Response", 0x0C56: "Write Simple Pairing Mode",
        0x0C58: "Read Inquiry Response Transmit Power Level", 0x0C63: "Set Event Mask Page 2",
        0x0C6D: "Write LE Host Support", 0x0C7A: "Write Secure Connections Host Support",
        0x1001: "Read Local Version Information", 0x1002: "Read Local Supported Commands",
        0x1003: "Read Local Supported Features", 0x1004: "Read Local Extended Features", 0x1005: "Read Buffer Size",
        0x1009: "Read BD_ADDR", 0x100B: "Read Local Supported Codecs", 0x1405: "Read RSSI",
        0x2001: "LE Set Event Mask", 0x2002: "LE Read Buffer Size", 0x2003: "LE Read Local Supported Features",
        0x2005: "LE Set Random Address", 0x2006: "LE Set Advertising Parameters",
        0x2007: "LE Read Advertising Channel TX Power", 0x2008: "LE Set Advertising Data",
        0x2009: "LE Set Scan Response Data", 0x200A: "LE Set Advertising Enable", 0x200B: "LE Set Scan Parameters",
        0x200C: "LE Set Scan Enable", 0x200D: "LE Create Connection", 0x200E: "LE Create Connection Cancel",
        0x200F: "LE Read Filter Accept List Size", 0x2010: "LE Clear Filter Accept List",
        0x2011: "LE Add Device To Filter Accept List", 0x2012: "LE Remove Device From Filter Accept List",
        0x2013: "LE Connection Update", 0x2014: "LE Set Host Channel Classification", 0x2015: "LE Read Channel Map",
        0x2016: "LE Read Remote Features", 0x2017: "LE Encrypt", 0x2018: "LE Rand", 0x2019: "LE Enable Encryption",
        0x201A: "LE Long Term Key Request Reply", 0x201B: "LE Long Term Key Request Negative Reply",
        0x201C: "LE Read Supported States", 0x2020: "LE Remote Connection Parameter Request Reply",
        0x2021: "LE Remote Connection Parameter Request Negative Reply",
        0x2022: "LE Set Data Length", 0x2023: "LE Read Suggested Default Data Length",
        0x2024: "LE Write Suggested Default Data Length", 0x2025: "LE Read Local P-256 Public Key",
        0x2026: "LE Generate DHKey", 0x2027: "LE Add Device To Resolving List",
        0x2028: "LE Remove Device From Resolving List", 0x2029: "LE Clear Resolving List",
        0x202A: "LE Read Resolving List Size", 0x202D: "LE Set Address Resolution Enable",
        0x202E: "LE Set Resolvable Private Address Timeout", 0x202F: "LE Read Maximum Data Length",
        0x2030: "LE Read PHY", 0x2031: "LE Set Default PHY", 0x2032: "LE Set PHY",
        0x2035: "LE Set Advertising Set Random Address", 0x2036: "LE Set Extended Advertising Parameters",
        0x2037: "LE Set Extended Advertising Data", 0x2038: "LE Set Extended Scan Response Data",
        0x2039: "LE Set Extended Advertising Enable", 0x203A: "LE Read Maximum Advertising Data Length",
        0x203B: "LE Read Number of Supported Advertising Sets", 0x203C: "LE Remove Advertising Set",
        0x203D: "LE Clear Advertising Sets", 0x2041: "LE Set Extended Scan Parameters",
        0x2042: "LE Set Extended Scan Enable", 0x2043: "LE Extended Create Connection",
        0x204B: "LE Read Transmit Power", 0x204E: "LE Set Privacy Mode", 0x2060: "LE Read Buffer Size",
        0x2074: "LE Set Host Feature", 0x207F: "LE Set Extended Advertising Parameters",
        0x2085: "LE Extended Create Connection",
    ]

    private static let eventNames: [UInt8: String] = [
        0x01: "Inquiry Complete", 0x02: "Inquiry Result", 0x03: "Connection Complete", 0x04: "Connection Request",
        0x05: "Disconnection Complete", 0x06: "Authentication Complete", 0x07: "Remote Name Request Complete",
        0x08: "Encryption Change", 0x0B: "Read Remote Supported Features Complete",
        0x0C: "Read Remote Version Information Complete", 0x0E: "Command Complete", 0x0F: "Command Status",
        0x10: "Hardware Error", 0x13: "Number Of Completed Packets", 0x14: "Mode Change", 0x15: "Return Link Keys",
        0x16: "PIN Code Request", 0x17: "Link Key Request", 0x18: "Link Key Notification",
        0x1A: "Data Buffer Overflow", 0x1B: "Max Slots Change", 0x22: "Inquiry Result with RSSI",
        0x2F: "Extended Inquiry Result", 0x30: "Encryption Key Refresh Complete", 0x31: "IO Capability Request",
        0x33: "User Confirmation Request", 0x34: "User Passkey Request", 0x36: "Simple Pairing Complete",
        0x38: "Link Supervision Timeout Changed", 0x3B: "User Passkey Notification", 0x3E: "LE Meta",
        0x57: "Authenticated Payload Timeout Expired", 0x59: "Encryption Change",
    ]

    private static let lowEnergyNames: [UInt8: String] = [
        0x01: "LE Connection Complete", 0x02: "LE Advertising Report", 0x03: "LE Connection Update Complete",
        0x04: "LE Read Remote Features Complete", 0x05: "LE Long Term Key Request",
        0x06: "LE Remote Connection Parameter Request", 0x07: "LE Data Length Change",
        0x08: "LE Read Local P-256 Public Key Complete", 0x09: "LE Generate DHKey Complete",
        0x0A: "LE Enhanced Connection Complete", 0x0B: "LE Directed Advertising Report",
        0x0C: "LE PHY Update Complete", 0x0D: "LE Extended Advertising Report",
        0x0E: "LE Periodic Advertising Sync Established", 0x0F: "LE Periodic Advertising Report",
        0x11: "LE Scan Timeout", 0x12: "LE Advertising Set Terminated", 0x13: "LE Scan Request Received",
        0x14: "LE Channel Selection Algorithm", 0x24: "LE Subrate Change", 0x29: "LE Enhanced Connection Complete",
    ]
}

import MeshCompanion
import MeshFiles
import MeshTransports
import Testing

/// Plans of faults that are refused: by their reader, and by the link that was to have them.
@Suite struct LinkFaultPlanTests {
    private static func problem(_ json: String) -> FileProblem? {
        #expect(throws: FileProblem.self) { try LinkFaultPlan(reading: Array(json.utf8)) }
    }

    // MARK: Readers

    @Test(arguments: [
        (#"{"fault":"gravity"}"#, "fault", "\"gravity\" is no fault of a link; known are late, split, merge, "),
        (#"{"bytes":3}"#, "fault", "is missing"),
        (#"{"fault":"cut-bytes"}"#, "bytes", "is missing"),
        (#"{"fault":"lose","bytes":3}"#, "bytes", "is not known here; known are fault, way, at, times, mayNotFire"),
        (#"{"fault":"cut-bytes","bytes":0}"#, "bytes", "0 is not within 1…175"),
        (#"{"fault":"cut-bytes","bytes":176}"#, "bytes", "176 is not within 1…175"),
        (#"{"fault":"overlong-frame","bytes":176}"#, "bytes", "176 is not within 177…4096"),
        (#"{"fault":"wrong-length","by":0}"#, "by", "a length that differs by 0 is right"),
        (#"{"fault":"late","seconds":0}"#, "seconds", "must be more than 0 and 3600 at most"),
        (#"{"fault":"unknown-code","code":0}"#, "code", "0 is RESP_CODE_OK"),
        (#"{"fault":"lose","times":0}"#, "times", "is not within"),
        (#"{"fault":"lose","way":"up"}"#, "way", "must be to-app or to-radio"),
        (#"{"fault":"error-answer","error":"TIRED"}"#, "error", "\"TIRED\" is no error of a radio; known are "),
        (#"{"fault":"insert-bytes","hex":"8"}"#, "hex", "is no hex"),
        (#"{"fault":"push"}"#, "push", "is needed, or hex in its place"),
        (
            #"{"fault":"push","push":"MSG_WAITING","hex":"83"}"#, "hex",
            "excludes push: the frame is given by one of them"
        ),
        (
            #"{"fault":"other-answer","answer":"OK","hex":"00"}"#, "hex",
            "excludes answer: the frame is given by one of them"
        ),
        (#"{"fault":"push","push":"OK"}"#, "push", "RESP_CODE_OK is no push"),
        (#"{"fault":"push","hex":"01"}"#, "hex", "a push has a code of 0x80 and more"),
        (#"{"fault":"push","push":"MSG_WAITING","way":"to-radio"}"#, "way", "push is of frames to the app"),
    ])
    func `a fault that cannot be is refused by its member`(fault: String, field: String, reason: String) {
        let problem = Self.problem(#"{"faults":[\#(fault)]}"#)

        #expect(problem?.field == "faults[0].\(field)")
        #expect(problem?.reason.contains(reason) == true, "\(problem?.reason ?? "")")
    }

    @Test(arguments: [
        (#""sometimes""#, "at", "must be next, connect or an object"),
        (
            #"{"frame":"CONTACT","after":3}"#, "at",
            "must have exactly one of frame, answerTo, after, connect, phase"
        ),
        (#"{}"#, "at", "must have exactly one of"),
        (#"{"frame":"GRAVITY"}"#, "at.frame", "\"GRAVITY\" is no kind of frame"),
        (#"{"frame":"CONTACT","number":0}"#, "at.number", "is not within"),
        (#"{"frame":"CONTACT","nth":3}"#, "at.nth", "is not known here; known are frame, answerTo, "),
        (#"{"after":3,"number":2}"#, "at.number", "does not go with after, which is a number itself"),
        (#"{"answerTo":"CONTACT"}"#, "at.answerTo", "never goes to the radio: the occasion never comes"),
        (#"{"answerTo":"REBOOT"}"#, "at", "CMD_REBOOT has no answer: the occasion never comes"),
        (#"{"phase":"breakfast"}"#, "at.phase", "\"breakfast\" is no phase; known are greeting, clock, "),
    ])
    func `an occasion that never comes is refused by its member`(at: String, field: String, reason: String) {
        let problem = Self.problem(#"{"faults":[{"fault":"lose","at":\#(at)}]}"#)

        #expect(problem?.field == "faults[0].\(field)")
        #expect(problem?.reason.contains(reason) == true, "\(problem?.reason ?? "")")
    }

    @Test(arguments: [
        (#"{"fault":"lose","way":"to-radio","at":{"frame":"CONTACT"}}"#, "at.frame", "never goes to the radio"),
        (
            #"{"fault":"endless-listing","at":{"frame":"CONTACT"}}"#, "at",
            "endless-listing never meets RESP_CODE_CONTACT"
        ),
        (
            #"{"fault":"more-contacts","at":{"answerTo":"GET_CHANNEL"}}"#, "at",
            "more-contacts never meets an answer to CMD_GET_CHANNEL"
        ),
        (
            #"{"fault":"cut-bytes","bytes":175,"at":{"frame":"CONTACT"}}"#, "at",
            "RESP_CODE_CONTACT has 148 bytes at most, and cut-bytes needs 176"
        ),
    ])
    func `a fault that its occasion never suits is refused`(fault: String, field: String, reason: String) {
        let problem = Self.problem(#"{"faults":[\#(fault)]}"#)

        #expect(problem?.field == "faults[0].\(field)")
        #expect(problem?.reason.contains(reason) == true, "\(problem?.reason ?? "")")
    }

    @Test func `two faults that exclude each other are refused with the line of the later one`() {
        let problem = Self.problem(
            """
            {"faults":[{"fault":"cut-bytes","bytes":3,"at":{"frame":"CONTACT"}},
            {"fault":"push","push":"MSG_WAITING","at":{"frame":"CONTACT"}},
            {"fault":"lose","at":{"frame":"CONTACT"}}]}
            """)

        #expect(problem?.field == "faults[2]" && problem?.line == 3)
        #expect(
            problem?.reason
                == "lose and cut-bytes, fault 0, exclude each other: both decide on the frame at RESP_CODE_CONTACT")
    }

    @Test(arguments: [#"{}"#, #"{"faults":[]}"#])
    func `a plan without a fault is refused`(json: String) {
        #expect(Self.problem(json)?.description.contains("has no fault") == true)
    }

    // MARK: Links

    @Test(arguments: [LinkFaultKind.endBefore, .endWithin(after: 1), .endAfter, .refuseConnection])
    func `a serial line has no connections that end or are refused`(kind: LinkFaultKind) {
        let plan = LinkFaultPlan([PlannedLinkFault(.lose), PlannedLinkFault(kind, at: .after(frames: 3))])

        let problem = #expect(throws: FileProblem.self) { try plan.check(on: .serial) }

        #expect(problem?.field == "faults[1].fault")
        #expect(problem?.reason == "\(kind.name): a serial line ends only with the board's power, as by board-off")
        #expect(throws: Never.self) { try plan.check(on: .tcp) }
        #expect(throws: Never.self) { try plan.check(on: .bluetooth) }
    }

    @Test(arguments: [LinkFaultKind.empty, .overlong(bytes: 200)])
    func `a client writes no frame over Bluetooth that is empty or too long`(kind: LinkFaultKind) {
        let plan = LinkFaultPlan([PlannedLinkFault(kind, way: .toRadio)])

        let problem = #expect(throws: FileProblem.self) { try plan.check(on: .bluetooth) }

        #expect(problem?.field == "faults[0].fault")
        #expect(problem?.reason == "\(kind.name): a client writes no such frame over Bluetooth")
        for carrier in [LinkCarrier.tcp, .serial] { #expect(throws: Never.self) { try plan.check(on: carrier) } }
        #expect(throws: Never.self) { try LinkFaultPlan([PlannedLinkFault(kind)]).check(on: .bluetooth) }
    }

    @Test func `a header is needed for what is in a header`() {
        for (kind, reason) in [
            (LinkFaultKind.wrongLength(by: 1), "wrong-length needs a header in front of the frame, which Bluetooth"),
            (.split(after: 0), "0 is in a header, which Bluetooth has not"),
            (.endWithin(after: -2), "-2 is in a header, which Bluetooth has not"),
        ] {
            let plan = LinkFaultPlan([PlannedLinkFault(kind)])
            let problem = #expect(throws: FileProblem.self) { try plan.check(on: .bluetooth) }
            #expect(problem?.reason.contains(reason) == true, "\(problem?.reason ?? "")")
            #expect(throws: Never.self) { try plan.check(on: .tcp) }
        }
    }

    @Test(arguments: [
        ("tcp://127.0.0.1:5000", LinkCarrier.tcp), ("serial:/dev/ttyUSB0", .serial),
        ("rfc2217://127.0.0.1:4000", .serial), ("socket://127.0.0.1:4000", .serial), ("ble:MeshCore-alice", .bluetooth),
    ])
    func `an address says how its link carries frames`(text: String, carrier: LinkCarrier) throws {
        #expect(try LinkAddress(radio: text).carrier == carrier)
    }
}

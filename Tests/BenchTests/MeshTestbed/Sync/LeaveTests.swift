import MeshCompanion
import MeshEmulator
import MeshReports
import MeshScenarios
import MeshTime
import Testing

@testable import meshbed

/// Apps whose link ends at each place of a synchronisation, and what must be so after their return.
@Suite struct LeaveTests {
    private static func survey(
        _ contacts: Int, _ channels: Int, _ messages: Int, _ change: (inout LeaveSurvey) -> Void = { _ in }
    ) -> LeaveSurvey {
        var survey = LeaveSurvey()
        (survey.run.load.contacts, survey.run.load.channels, survey.run.load.messages) = (contacts, channels, messages)
        survey.jobs = 2
        change(&survey)
        return survey
    }

    /// The line of each failure names the pair, and the command that repeats it.
    private static func failures(_ report: LeaveReport) -> [String] {
        report.failures.map { "\(report.command(repeating: $0.pair)): \($0.faults.joined(separator: "; "))" }
    }

    /// Pairs without an event, each place once, with the returns in turn.
    private static func inTurn(_ plan: LeaveSurvey.Plan, connection: Int) -> [LeavePair] {
        let plain = plan.pairs.filter { pair in
            guard pair.occasion == nil else { return false }
            guard case .frame(let number, _, _) = pair.place else { return connection == 1 }
            return plan.crossings[number].connection == connection
        }
        let returns = LeaveReturn.departures.count
        return stride(from: 0, to: plain.count, by: returns).map { plain[$0 + $0 / returns % returns] }
    }

    /// `meshbed bench leave` has every place with every return.
    @Test func `an app recovers from every place of a synchronisation`() throws {
        let survey = Self.survey(20, 4, 10)
        let plan = try survey.plan()
        let pairs = Self.inTurn(plan, connection: 1)

        let report = survey.perform(.init(crossings: plan.crossings, pairs: pairs))

        #expect(Self.failures(report) == [])
        #expect(pairs.count > 120 && Set(pairs.map(\.back)) == Set(LeaveReturn.departures))
        #expect(Set(pairs.map { report.phase(of: $0.place) }) == Set(LeavePhase.allCases))
        // A radio that is asked for a message forgets it when it sends it; no other one may be missing.
        #expect(report.outcomes.allSatisfy { $0.forgotten <= 1 })
    }

    @Test func `an app recovers from every place of a synchronisation that asks for changes`() throws {
        let survey = Self.survey(3, 2, 1)
        let plan = try survey.plan()
        let pairs = Self.inTurn(plan, connection: 2)

        let report = survey.perform(.init(crossings: plan.crossings, pairs: pairs))

        #expect(Self.failures(report) == [])
        #expect(pairs.count > 30 && report.outcomes.allSatisfy { $0.forgotten <= 1 })
    }

    @Test func `an app recovers from what happens at the radio meanwhile`() throws {
        let survey = Self.survey(3, 2, 3) { $0.every = 5 }
        let plan = try survey.plan()
        let pairs = plan.pairs.filter { $0.occasion != nil }

        let report = survey.perform(.init(crossings: plan.crossings, pairs: pairs))

        #expect(Self.failures(report) == [])
        #expect(Set(pairs.compactMap(\.occasion)) == Set(LeaveOccasion.allCases))
    }

    @Test(arguments: [LoopbackLink.bluetoothNRF52, .bluetoothESP32])
    func `an app recovers over modelled Bluetooth`(over: LoopbackLink) throws {
        let survey = Self.survey(4, 2, 3) { survey in
            (survey.run.over, survey.every) = (over, 9)
        }
        let plan = try survey.plan()
        let pairs = plan.pairs.filter { $0.occasion == nil && ($0.back == .oneSecond || $0.place == .idle) }

        let report = survey.perform(.init(crossings: plan.crossings, pairs: pairs))

        #expect(Self.failures(report) == [])
        // A value is written whole: there are no halves.
        #expect(!pairs.contains { $0.description.contains("inside") })
    }

    @Test func `the survey finds a stack that believes a listing that broke off`() throws {
        let survey = Self.survey(6, 1, 0) { $0.run.defect = .trustsCutListing }
        let plan = try survey.plan()
        let pairs = plan.pairs.filter { $0.back == .oneSecond && $0.occasion == nil }

        let report = survey.perform(.init(crossings: plan.crossings, pairs: pairs))

        #expect(!report.failures.isEmpty)
        #expect(report.failures.allSatisfy { report.phase(of: $0.pair.place) == .contacts })
        #expect(
            report.failures.allSatisfy { $0.faults.contains { $0.hasPrefix("contacts of store and radio differ") } })
    }

    @Test func `a pair alone is the pair among all, on any number of threads`() throws {
        let survey = Self.survey(3, 1, 2) { $0.every = 4 }
        let all = survey.perform(try survey.plan())
        let named = try #require(all.outcomes.first { $0.pair.back == .fiveSeconds && $0.forgotten == 1 })

        var single = survey
        (single.only, single.jobs) = ([named.pair.description], 1)
        let alone = single.perform(try single.plan())

        #expect(alone.outcomes.map(\.pair) == [named.pair])
        #expect(alone.outcomes[0].recovery == named.recovery && alone.outcomes[0].forgotten == named.forgotten)
        #expect(
            all.command(repeating: named.pair)
                == "meshbed bench leave --only \(named.pair) --contacts 3 --channels 1 --messages 2")
    }

    @Test func `a name that chooses no pair is refused by name`() {
        let survey = Self.survey(1, 1, 0) { $0.only = ["idle", "999.app.after"] }

        let error = #expect(throws: LeaveSurvey.UnknownPair.self) { try survey.plan() }
        #expect(error.map { "\($0)" } == "'999.app.after' is no pair, and no beginning of one")
    }

    @Test func `messages that are missing, doubled or strange are faults, those that the radio forgot are not`() {
        var state = LeaveState()
        (state.texts, state.unread) = (["0: a", "2: c", "2: c", "hello"], 5)

        #expect(
            state.faults(ofMessages: 4, forgotten: 1) == [
                "\"hello\" is stored and was never there", "message 2 is stored 2 times",
                "2 messages are missing, 1 may be; the first is 1", "5 messages are counted as unread, 4 are",
            ])
        (state.texts, state.unread) = (["0: a", "2: c"], 2)
        #expect(state.faults(ofMessages: 3, forgotten: 1) == [])
    }

    @Test func `a store with other contacts than its radio is told by the first of them`() {
        var (radio, store) = (LeaveState(), LeaveState())
        (radio.contacts, store.contacts) = (["aa one", "bb two"], ["aa one", "cc three", "cc three"])

        #expect(radio.differences(to: radio) == [])
        #expect(
            radio.differences(to: store) == [
                "contacts of store and radio differ: 1 missing, the first bb two; 2 not on the radio, the first cc three; "
                    + "1 doubled"
            ])
    }

    @Test func `the plot has a line for each return, and escapes its names`() {
        let drawing = ShareDrawing("times & more", [.init("a<b", [1, 2, 2, .infinity]), .init("nobody", [])])

        #expect(drawing.svg.contains("aria-label=\"times &amp; more\"") && drawing.svg.contains("a&lt;b"))
        #expect(!drawing.svg.contains("nobody"))
        #expect(drawing.svg.components(separatedBy: "<polyline").count == 2)
        #expect(ShareDrawing("", []).svg.contains("</svg>"))
    }
}

extension String {
    fileprivate func components(separatedBy separator: String) -> [Substring] {
        var (parts, rest): ([Substring], Substring) = ([], self[...])
        while let range = rest.firstRange(of: separator) {
            parts.append(rest[..<range.lowerBound])
            rest = rest[range.upperBound...]
        }
        return parts + [rest]
    }
}

public import MeshBoards
public import MeshCompanion
import MeshFirmware
public import MeshReports
import MeshSimulator
package import MeshTime
import MeshTransports
import MeshWire

/// A run of the compliance suite against one radio.
///
/// ```swift
/// let report = try ComplianceRun(target: .emulator).perform()
/// print(report.text())
/// ```
public struct ComplianceRun: Sendable {
    /// The reason why a run could not begin.
    public struct Problem: Error, Sendable, CustomStringConvertible {
        public let description: String

        /// True where the radio is not there: unplugged, switched off, or no place of labgrid.
        package var isOfMissingRadio = false

        package init(description: String, isOfMissingRadio: Bool = false) {
            self.description = description
            self.isOfMissingRadio = isOfMissingRadio
        }

        /// A problem with the target itself.
        init(_ error: any Error) {
            let isMissing =
                switch error {
                case TargetError.unreachable, Bench.Problem.missing: true
                default: false
                }
            self.init(description: "\(error)", isOfMissingRadio: isMissing)
        }

        /// A problem, and what was not put back on the radio on its account.
        package init(description: String, leaving left: [String]) {
            let rest = left.isEmpty ? "" : "; not put back: " + left.joined(separator: "; ")
            self.init(description: description + rest)
        }

        /// A part of a selection that chooses nothing.
        init(unknown part: String) {
            description =
                "'\(part)' is no statement, no conversation, no check of the matrix and no word of their titles"
        }
    }

    /// One radio, with the permissions of its owner. Without `.destructive` nothing restarts it, erases it or replaces
    /// its identity; `.restart` allows restarts alone.
    public var target: Target
    /// A second real radio within radio range of a real target, which plays the other nodes; it is put back afterwards
    /// too.
    public var peer: Target?
    /// The checks that are run.
    public var selection = Selection.all
    /// Tells whether nothing is asked but the checks in which an app leaves and returns (`LEAVE-…`).
    public var leavesAndReturns = false
    /// The version of the firmware that the radio is checked against, and that an emulated one runs. When `nil`, a real
    /// radio is checked against the version of its DEVICE_INFO.
    public var firmware: FirmwareVersion?
    /// A fault of the emulated radio; radios elsewhere have their own.
    public var mutant: Mutant?
    /// Tells whether a run without its radio is a report of checks that were not run, and no ``Problem``.
    public var allowsMissing = false
    /// The program that the lines name which repeat a check.
    public var program = ProgramName.meshbed
    /// The seed of the keys and draws of an emulated radio in this process.
    package var seed = Seed(1)

    /// The identifiers of all checks of one radio, in their order.
    package static var checkIDs: [String] { Check.all.map(\.id) }

    /// The arguments of a command line that name the bench file, where a label needs them.
    package var benchArguments: [String] = []
    /// The place of the locks and records of real radios.
    package var folders = BoardFolders.standard
    /// The same once the radios are claimed: nothing is kept of a radio that others may use at the same time.
    var records: BoardFolders?

    /// A run of the wanted checks.
    public init(target: Target, only selection: Selection = .all) {
        self.target = target
        self.selection = selection
    }

    /// Runs the selected checks; `progress` receives each verdict as it falls, with the number of checks.
    ///
    /// When `isInterrupted` becomes true the run ends after the current check, and puts back what it has changed. Real
    /// radios are locked meanwhile; one that another program uses is a ``Problem``.
    public func perform(
        isInterrupted: () -> Bool = { false }, progress: (ComplianceReport.Entry, Int) -> Void = { _, _ in }
    ) throws(Problem) -> ComplianceReport {
        do throws(Problem) {
            let (run, claims) = try claimed(for: "comply")
            defer { for claim in claims { claim.release() } }
            let target: any ComplianceTarget
            do {
                target = try run.opened()
            } catch {
                throw Problem(error)
            }
            return try run.perform(on: target, isInterrupted: isInterrupted, progress: progress)
        } catch {
            guard allowsMissing, error.isOfMissingRadio else { throw error }
            return try skipped(because: error.description)
        }
    }

    /// Opens the target. Real radios are not yet connected to, but their rigs are.
    func opened() throws(TargetError) -> any ComplianceTarget {
        switch target.place {
        case .emulator:
            return EmulatorTarget(
                title: target.title, seed: seed, mutant: mutant, firmware: firmware ?? .standard)
        case .wired(let wire):
            var build = HeldRadio.Build()
            build.hooks = mutant?.hooks
            if let firmware { build.board.firmware = firmware }
            return try RigTarget.started(wire.interface, title: target.title, build: build)
        case .modelled(let link):
            return EmulatorTarget(title: target.title, mutant: mutant, over: link, firmware: firmware ?? .standard)
        case .radios(let addresses):
            guard let address = addresses.first, addresses.count == 1 else {
                throw .unsupported("be checked: it is \(addresses.count) radios, not one")
            }
            if let rig = target.rig { return try RigTarget(address, title: target.title, rig: rig) }
            let radio = StreamTarget(address, title: target.label, allowing: target.allowed, board: target.board)
            guard let peer else { return radio }
            return try peered(radio, peer)
        }
    }

    /// A real radio with its peer.
    private func peered(_ radio: StreamTarget, _ peer: Target) throws(TargetError) -> any ComplianceTarget {
        guard let address = peer.addresses.first else {
            throw .unsupported("hear a radio in another world: a peer is at \(LinkAddress.radioForms)")
        }
        if let board = peer.board, !board.allows(.transmit) {
            throw .unsupported("have \(board.label) as its peer: its bench file does not allow it to transmit")
        }
        return PeeredTarget(radio, peer: PeerRadio(address, of: peer, keptIn: records))
    }

    func perform(
        on target: any ComplianceTarget, isInterrupted: () -> Bool = { false },
        progress: (ComplianceReport.Entry, Int) -> Void = { _, _ in }
    ) throws(Problem) -> ComplianceReport {
        if let part = selection.parts(withoutAny: Check.all + Check.onRequest).first { throw Problem(unknown: part) }
        let checks = checks(on: target)
        let probe = Probe(target)
        defer { target.close() }
        let peer = (target as? PeeredTarget)?.peer
        var report = ComplianceReport(target: target.title)
        do {
            try begin(probe, &report)
        } catch {
            var problem = Problem(description: error.description, leaving: putBack(probe) + (peer?.restore() ?? []))
            problem.isOfMissingRadio = error.isOfMissingRadio
            throw problem
        }
        judge(checks, probe, &report, isInterrupted, progress)
        report.matrix = probe.recorder.matrix
        if let target = target as? PeeredTarget { end(target, &report) }
        return report
    }

    /// The checks that are run on a target.
    private func checks(on target: any ComplianceTarget) -> [Check] {
        if leavesAndReturns { return Check.ofLeaving.filter(selection.chooses) }
        guard selection.isEmpty else { return (Check.all + Check.onRequest).filter(selection.chooses) }
        // Without a word about them, what takes two radios is asked of two radios only.
        return Check.all + (target is PeeredTarget ? Check.ofTwoRadios : [])
    }

    /// The verdicts; what was changed on the radio is put back, however the run ends.
    private func judge(
        _ checks: [Check], _ probe: Probe, _ report: inout ComplianceReport, _ isInterrupted: () -> Bool,
        _ progress: (ComplianceReport.Entry, Int) -> Void
    ) {
        var witnesses = Witnesses(probe.recorder.known)
        for check in checks {
            let entry = judge(check, probe, &report)
            witnesses.note(probe.recorder.known, in: check.id)
            report.entries.append(entry)
            progress(entry, checks.count)
            if report.abortedBecause == nil, isInterrupted() { report.abortedBecause = "interrupted" }
            if report.abortedBecause != nil { break }
        }
        // A fault that somebody has switched on is to be found.
        if mutant == nil, probe.keeper != nil { report.settleRefusals(known: probe.recorder.known) }
        for index in report.entries.indices {
            let id = report.entries[index].id
            guard let code = report.entries[index].evidence?.refused, let other = witnesses.id(of: code), other != id
            else { continue }
            report.entries[index].repeatCommand = repeatCommand([id, other])
        }
        report.noteVersion(checks)
        report.noteLeft(probe.restoreAndForget(), of: probe.target.title)
    }

    /// Puts the peer back, and returns a note on it.
    private func end(_ target: PeeredTarget, _ report: inout ComplianceReport) {
        if let problem = target.peer.problem, report.abortedBecause == nil {
            report.abortedBecause = "\(TargetError.peerLost(problem))"
        }
        report.notes += target.peer.notes
        report.noteLeft(target.peer.restore(), of: target.peer.title)
        guard !target.fetched.isEmpty else { return }
        report.notes.append("Messages that waited on \(target.radio.title) were fetched, and wait there no more:")
        report.notes += target.fetched.map { "  " + DecodedFrame($0, .toApp).line }
    }

    /// Puts a radio back that was not brought to the baseline of the run; what was not put back.
    private func putBack(_ probe: Probe) -> [String] {
        // Where the way there fails, it is not gone any further.
        if let before = probe.keeper?.before { probe.keeper?.baseline = before }
        return probe.restoreAndForget(mayBeStarting: true)
    }

    /// Reaches the radio, and learns what will have to be put back.
    private func begin(_ probe: Probe, _ report: inout ComplianceReport) throws(Problem) {
        try reach(probe, &report)
        do {
            guard !probe.isAlone else { return }
            let shared = probe.target as? PeeredTarget
            if let shared { try PeerMeeting(probe, shared).compare() }
            var keeper = try probe.remembered()
            if keeper.before.contacts.isEmpty { (shared?.radio ?? probe.target as? StreamTarget)?.noteEmptyContacts() }
            if let shared { try PeerMeeting(probe, shared).begin() }
            probe.ledger?.begin(keeper)
            keeper.baseline = keeper.before.usual()
            if probe.target.abilities.contains(.emptyContacts) { keeper.baseline.contacts = [] }
            keeper.note(differencesTo: keeper.before)
            probe.keeper = keeper
            report.noteUnsettled(try probe.reachBaseline(), of: probe.target.title)
            if let problem = probe.ledger?.problem {
                report.notes.append("If this run is cut off, nothing is put back later: \(problem)")
            }
        } catch {
            throw Self.problem(error, probe)
        }
    }

    /// Reaches the radio, learns its version, and puts back what a run that was cut off has left.
    func reach(_ probe: Probe, _ report: inout ComplianceReport) throws(Problem) {
        do {
            try probe.prepare(Setup())
            if target.isReal { try probe.introduce() }
            try detect(probe, &report)
            guard !probe.isAlone else { return }
            probe.ledger = records.flatMap { RadioLedger(target, in: $0) }
            report.notes += try probe.putBackLeft(of: probe.target.title)
        } catch {
            throw Self.problem(error, probe)
        }
    }

    /// The problem of a radio that was not brought to where its use begins.
    static func problem(_ error: any Error, _ probe: Probe) -> Problem {
        switch error {
        case let problem as Problem: problem
        case let nothing as NoRadio: Problem(description: "\(probe.target.title) \(nothing)")
        case let failure as Failure:
            Problem(description: "\(probe.target.title) does not answer any more: \(failure)")
        default: Problem(error)
        }
    }

    /// The version of a radio by its DEVICE_INFO. Emulated ones run the version that is set.
    private func detect(_ probe: Probe, _ report: inout ComplianceReport) throws {
        let said = target.isReal ? try probe.deviceWords() : nil
        probe.version = firmware ?? said.map { FirmwareVersion(level: $0.level, text: $0.version) } ?? .standard
        report.version = probe.version
        report.node = said?.node ?? TestedNode(.companion, against: "")
        report.node.reference = probe.version.name
        if !target.isReal { report.node.describe(emulated: probe.version, fault: mutant?.name) }
        if target.isReal { report.noteDetection(said, isChosen: firmware != nil) }
    }

    private func judge(_ check: Check, _ probe: Probe, _ report: inout ComplianceReport) -> ComplianceReport.Entry {
        let clock = ContinuousClock()
        let start = clock.now
        var evidence: Evidence?
        var verdict = verdict(check, probe, &report, &evidence)
        // A fault that somebody has switched on is to be found.
        if case .broken(let lines, let transcript) = verdict, mutant == nil, probe.keeper != nil,
            let quirks = AbsentQuirk.quirks(behind: check, lines, in: probe.version)
        {
            verdict = .differs(from: quirks, lines, transcript: transcript)
        }
        let spent = (clock.now - start).components
        var entry = ComplianceReport.Entry(
            id: check.id, group: check.group, title: check.title, verdict: verdict,
            seconds: Double(spent.seconds) + Double(spent.attoseconds) / 1e18)
        entry.evidence = evidence
        entry.repeatCommand = repeatCommand([check.id])
        return entry
    }

    /// Returns the command line that repeats one check, and another one that shows what the radio knows.
    func repeatCommand(_ ids: [String]) -> String {
        // What may be done to a radio of a bench stands at its label, which its file or the package's program knows.
        let isOnBench = program.isPackage && target.label != nil || target.board?.isListed == true
        func words(_ target: Target) -> [String] {
            if program.isPackage, let label = target.label { ["--target", label] } else { target.arguments }
        }
        var options = words(target)
        if let peer { options += ["--peer"] + words(peer).dropFirst() }
        options += benchArguments + ["--only", ids.joined(separator: ",")]
        if let firmware { options += ["--firmware", firmware.name] }
        if let mutant { options += ["--mutant", mutant.name] }
        if target.allowed.contains(.destructive), !isOnBench { options.append("--destructive") }
        return "\(program.call) comply " + options.map(\.shellQuoted).joined(separator: " ")
    }

    private func verdict(
        _ check: Check, _ probe: Probe, _ report: inout ComplianceReport, _ evidence: inout Evidence?
    ) -> ComplianceReport.Verdict {
        if let verdict = check.verdictUntried(on: probe.target, in: probe.version) { return verdict }
        if check.needs.contains(.emptyContacts), hasNewContacts(probe) {
            return .notRun("other nodes were added to the contacts during the run; try again, or with --destructive")
        }
        do {
            try probe.prepare(check.setup)
        } catch {
            // The rest goes on where it can: an interface may be out of reach, or all of the bench.
            if (try? probe.prepare(Setup())) == nil { report.abortedBecause = "\(error)" }
            return .notRun("\(error)")
        }
        let begin = probe.moment
        var verdict = tried(check.body, probe, &report, &evidence)
        do {
            if try cleanUp(probe, after: check, verdict, since: begin) {
                report.restarts.append(check.id)
                guard !check.needs.contains(.crash) else {
                    evidence = nil
                    return .notApplicable("the radio has restarted: its firmware is undefined here")
                }
            }
            // On an air that others use packets get lost; what a radio does wrong it does twice.
            if case .broken(let first, _) = verdict, probe.sharesAir {
                evidence = nil
                try probe.prepare(check.setup)
                verdict = tried(check.body, probe, &report, &evidence)
                if try cleanUp(probe, after: check, verdict, since: begin) { report.restarts.append(check.id) }
                guard case .broken(let lines, let transcript) = verdict else { return verdict }
                let before = first.flatMap { $0.split(separator: "\n") }.map { "first try: " + String($0).trimmed }
                return .broken(lines, transcript: before + transcript)
            }
        } catch {
            report.abortedBecause = "\(error)"
        }
        return verdict
    }

    private func tried(
        _ body: (Probe) throws -> Void, _ probe: Probe, _ report: inout ComplianceReport, _ evidence: inout Evidence?
    ) -> ComplianceReport.Verdict {
        do {
            probe.begin()
            try body(probe)
            try probe.expectNothingLeft()
            return .kept
        } catch TargetError.rigLost(let why) {
            // No word on the radio.
            report.abortedBecause = "\(TargetError.rigLost(why))"
            return .notRun("\(TargetError.rigLost(why))")
        } catch TargetError.peerLost(let why) {
            // The rest goes on without it.
            return .notRun("\(TargetError.peerLost(why))")
        } catch let hidden as OutOfSight {
            return .notRun(hidden.reason)
        } catch {
            if let reason = probe.target.hidden { return .notRun(reason) }
            evidence = probe.evidence
            evidence?.refused = (error as? Failure)?.refusedCommand
            return broken(error, probe)
        }
    }

    /// Tells whether a radio that was found with an empty table has new contacts, which may not be removed.
    private func hasNewContacts(_ probe: Probe) -> Bool {
        guard probe.keeper != nil, let keys = try? probe.contacts().keys, !keys.isEmpty else { return false }
        if target.allowed.contains(.destructive) { return (try? probe.remove(keys)) == nil }
        return true
    }

    private func broken(_ error: any Error, _ probe: Probe) -> ComplianceReport.Verdict {
        switch error {
        case let failure as Failure: return .broken(failure.lines, transcript: failure.transcript)
        case let error as TargetError:
            let failure = probe.failure(expected: "a radio that is there", got: error.description)
            return .broken(failure.lines, transcript: failure.transcript)
        default: return .broken(["the statement cannot be read: \(error)"], transcript: [])
        }
    }

    /// Leaves a radio that is not made for the statement as it was; whether it has restarted by itself meanwhile.
    private func cleanUp(
        _ probe: Probe, after check: Check, _ verdict: ComplianceReport.Verdict, since begin: Instant
    ) throws -> Bool {
        guard probe.keeper != nil else { return false }
        // What the suite has paired as a central of its own is looked at as an app again.
        if check.setup.interface == .bluetooth { try? probe.prepare(Setup()) }
        let wasLost = try probe.regain(mayBeStarting: true)
        var mayHaveRestarted = wasLost
        if check.needs.contains(.crash), case .broken = verdict { mayHaveRestarted = true }
        // Others restart it on purpose.
        if !check.needs.isDisjoint(with: [.restart, .identity, .power]) { mayHaveRestarted = false }
        let hasRestarted = mayHaveRestarted && hasRestarted(probe, since: begin)
        if hasRestarted { probe.noteRestart() }
        try restoreAnswering(probe)
        return hasRestarted
    }

    /// Restores the radio. Steps that it leaves unanswered are postponed to the end of the run; the radio itself has to
    /// be there.
    private func restoreAnswering(_ probe: Probe) throws {
        for _ in 0..<Self.unansweredLimit {
            do {
                return try restore(probe)
            } catch let failure as Failure {
                guard let code = failure.sent?.first else { throw failure }
                probe.keeper?.postpone(code)
                try probe.regain(mayBeStarting: true)
            }
        }
        try restore(probe)
    }

    /// As many as there are commands of the way back.
    private static let unansweredLimit = 16

    /// Tells whether the radio's uptime is shorter than the time since `begin`. A radio without that figure has not
    /// restarted.
    private func hasRestarted(_ probe: Probe, since begin: Instant) -> Bool {
        guard let uptime = probe.uptime() else { return false }
        return TimeSpan.seconds(Int64(uptime)) < probe.moment - begin
    }

    private func restore(_ probe: Probe) throws {
        let mayBeSending = probe.keeper?.mayBeSending ?? false
        try probe.restoreTouched()
        guard let shared = probe.target as? PeeredTarget, probe.sharesAir else {
            return try probe.letQueueDrain()
        }
        if !probe.isLinked { try probe.connect() }
        guard mayBeSending else { return }
        try probe.letQueueDrain(to: 0)
        if probe.isLinked { try fetchLeft(probe, shared) }
        // A peer that is lost meanwhile shows when it is needed.
        try? shared.peer.settle(shared.settling)
        try? shared.peer.tidy()
    }

    /// Fetches messages that came and no statement asked for, so that they do not disturb the next one.
    private func fetchLeft(_ probe: Probe, _ target: PeeredTarget) throws {
        for _ in 0..<300 {
            let frame = try probe.ask("0A", "…").frame
            guard PeerMeeting.isMessage(frame) else { return }
            if probe.isForeignMessage(frame) { target.fetched.append(frame) }
        }
    }
}

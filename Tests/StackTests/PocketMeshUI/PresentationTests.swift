import Foundation
import PocketMeshServices
import Testing

@testable import PocketMeshUI

@Suite struct PresentationTests {
    @Test func `labels of delivery are the five of the seeds`() {
        #expect(
            MessageStatus.allCases.map { DeliveryStatus($0).label } == [
                "Queued", "Sending", "Sent", "Acknowledged", "Failed", "Sending",
            ])
        var message = MessageDTO(
            id: UUID(), deviceID: UUID(), text: "", timestamp: 0, createdAt: Date(), direction: .outgoing,
            status: .retrying)
        (message.retryAttempt, message.maxRetryAttempts) = (1, 3)
        #expect(DeliveryStatus(message).label == "Sending again, retry 1 of 3")
        (message.status, message.roundTripTime) = (.delivered, 2340)
        #expect(DeliveryStatus(message).detail == "Acknowledged after 2.3 s")
        (message.status, message.heardRepeats) = (.sent, 2)
        #expect(DeliveryStatus(message).detail == "Heard again 2 times")
    }

    @Test func `a node's mark is the same on every host`() {
        let avatar = NodeAvatar(name: "Town Hall", key: Data(repeating: 7, count: 32), kind: .repeater)
        #expect(avatar.initials == "TH" && avatar.hue == 296)
        #expect(avatar.accessibilityLabel == "Repeater: Town Hall")
        #expect(NodeAvatar.initials(of: "") == "?")
        #expect(NodeAvatar.initials(of: "<script>") == "S")
        #expect(NodeAvatar.initials(of: "🏔️ hut") == "🏔️H")
        #expect(NodeAvatar.initials(of: "\u{202E}abc") == "A")
        #expect(NodeAvatar.initials(of: "ann") == "A")
    }

    @Test func `times are grouped by pauses and days`() {
        let style = london
        let noon = Date(timeIntervalSince1970: 1_749_900_000)
        let first = MessageTimestamp(noon, after: nil, style: style)
        #expect(first.isNewDay && first.isShown && first.text == "14 Jun 2025, 12:20")
        let soon = MessageTimestamp(noon.addingTimeInterval(299), after: noon, style: style)
        #expect(!soon.isShown && soon.text == "12:24")
        #expect(MessageTimestamp(noon.addingTimeInterval(300), after: noon, style: style).isShown)
        let midnight = noon.addingTimeInterval(42_000)
        #expect(MessageTimestamp(midnight, after: midnight.addingTimeInterval(-60), style: style).isNewDay)
    }

    @Test func `times and days are those of the library's tables of languages`() {
        for (hours, language) in [(PresentationStyle.HourCount.twelve, "en_001"), (.twentyFour, "en_GB")] {
            let style = PresentationStyle(hours: hours, localTime: .fixed(secondsFromUTC: 0))
            func formatted(_ date: Date, _ day: Date.FormatStyle.DateStyle, _ time: Date.FormatStyle.TimeStyle)
                -> String
            {
                date.formatted(
                    Date.FormatStyle(date: day, time: time, locale: Locale(identifier: language), timeZone: .gmt))
            }
            for step in 0..<200 {
                // A month less some hours, from before 1970 on.
                let date = Date(timeIntervalSince1970: Double(step) * 2_600_000 - 90_000_000)
                #expect(style.day(date) == formatted(date, .abbreviated, .omitted))
                #expect(style.time(date) == formatted(date, .omitted, .shortened))
            }
        }
    }

    @Test func `the host's time is that of its zone`() {
        let host = PresentationStyle(hours: .twentyFour)
        for month in 0..<24 {
            let date = Date(timeIntervalSince1970: 1_700_000_000 + Double(month) * 2_600_000)
            let offset = TimeZone.current.secondsFromGMT(for: date)
            let fixed = PresentationStyle(hours: .twentyFour, localTime: .fixed(secondsFromUTC: offset))
            #expect(host.dateAndTime(date) == fixed.dateAndTime(date))
        }
    }

    @Test(
        arguments: [
            (0, nil), (120, nil), (-120, nil), (121, "ahead by 2 min"), (-7300, "behind by 2 h"),
            (86_400, "ahead by 1 day"),
            (-3 * 86_400, "behind by 3 days"), (31_556_952, "ahead by 1 year"), (-70_000_000, "behind by 2 years"),
        ] as [(Int, String?)])
    func `a clock is wrong by a span in its largest unit`(lead: Int, words: String?) {
        #expect(Measures.clock(lead: lead) == words.map { "The clock of this node is \($0)." })
    }

    @Test func `numbers are those of the library's tables of languages`() {
        func formatted(_ value: Double, _ digits: Int) -> String {
            value.formatted(
                FloatingPointFormatStyle<Double>(locale: Locale(identifier: "en_US_POSIX"))
                    .precision(.fractionLength(0...digits)).grouping(.never))
        }
        for number in 0..<6000 {
            #expect(Measures.volts(number) == formatted(Double(number) / 1000, 2) + " V")
            guard number >= 1000 else { continue }
            #expect(Measures.seconds(milliseconds: UInt32(number)) == formatted(Double(number) / 1000, 1) + " s")
        }
        for quarters in -128..<128 {
            let decibels = Double(quarters) / 4
            #expect(Measures.snr(decibels) == formatted(decibels, 2) + " dB")
        }
    }

    @Test func `every error has a title, a sentence, a remedy and a code`() {
        for operation in StackError.Operation.allCases {
            let shown = ErrorPresentation(StackError(operation, .notConnected))
            #expect(!shown.title.isEmpty && !shown.message.isEmpty && !shown.recovery.isEmpty)
            #expect(shown.code == "not-connected" && shown.isRetryable)
            #expect(shown.message.first?.isUppercase == true)
        }
        let titles = StackError.Operation.allCases.map { ErrorPresentation(StackError($0, .notConnected)).title }
        #expect(Set(titles).count == titles.count)
        let reasons: [StackError.Reason] = [
            .messageTooLong(count: 161, limit: 160), .queueFull(limit: 10), .noAnswer, .loginFailed("…"),
            .contactTableFull, .outOfRange(field: "pin"), .needsFirmware(feature: "statistics", minimum: "1.11"),
            .verificationFailed(expected: "power 3", actual: "power 4"), .scanFailed("…"), .diskFull(path: "…"),
        ]
        let shown = reasons.map { ErrorPresentation(StackError(.settings, $0)) }
        #expect(shown.allSatisfy { !$0.message.isEmpty && !$0.recovery.isEmpty })
        #expect(Set(shown.map(\.code)).count == reasons.count && Set(shown.map(\.message)).count == reasons.count)
        #expect(ErrorPresentation(CancellationError()).code == "cancelled")
        struct Odd: Error {}
        #expect(ErrorPresentation(Odd()).code == "unexpected")
    }

    @Test func `a retry is offered three times, and never for what cannot work`() {
        var retry = RetryPresentation(ErrorPresentation(StackError(.messages, .notConnected)))
        #expect(retry.canRetry)
        retry.failedAgain(retry.error)
        #expect(retry.canRetry && retry.tries == 2)
        retry.failedAgain(retry.error)
        #expect(!retry.canRetry)
        #expect(!RetryPresentation(ErrorPresentation(StackError(.messages, .invalidRecipient))).canRetry)
    }

    @Test func `a link is degraded by silence, noise and slowness`() {
        var quality = LinkQuality()
        #expect(!quality.isDegraded)
        quality.noteTimeout()
        quality.noteTimeout()
        #expect(!quality.isDegraded)
        quality.noteTimeout()
        #expect(quality.causes == [.timeouts])
        quality.noteAnswer(after: .seconds(31))
        #expect(quality.causes == [.slowAnswers])
        quality.noteAnswer(after: .seconds(2))
        quality.note(snr: 5)
        for _ in 0..<20 { quality.note(snr: -15) }
        #expect(quality.causes == [.noise])
    }

    @Test func `a firmware's capabilities follow its code and what it refused`() {
        var old = Capabilities(firmware: 8)
        #expect(!old.has(.clientRepeat) && old.has(.statistics) && old.isSupported)
        #expect(Capabilities(firmware: 9).has(.clientRepeat) && !Capabilities(firmware: 9).has(.pathHashMode))
        #expect(Capabilities(firmware: 11).has(.channelData) && !Capabilities(firmware: 10).has(.channelData))
        old.markMissing(.statistics)
        #expect(!old.has(.statistics))
        #expect(!Capabilities(firmware: 2).isSupported && !Capabilities(firmware: 2).has(.statistics))
        #expect(!Capabilities().has(.statistics))
        #expect(Capabilities(firmware: 13).rows.filter(\.isAvailable).count == Capability.allCases.count)
    }

    @Test func `presentations travel as JSON and come back`() throws {
        let contact = ContactDTO(deviceID: UUID(), publicKey: Data(repeating: 2, count: 32), name: "<b>bob</b>")
        let row = ContactRow(contact, style: PresentationStyle())
        #expect(row.name == "<b>bob</b>", "texts are data, and never markup")
        #expect(try JSONDecoder().decode(ContactRow.self, from: JSONEncoder().encode(row)) == row)
        let error = ErrorPresentation(StackError(.messages, .notConnected))
        #expect(try JSONDecoder().decode(ErrorPresentation.self, from: JSONEncoder().encode(error)) == error)
    }

    @Test func `tabs have their numbers, and each its own way`() {
        #expect(AppTab.allCases.map(\.rawValue) == [0, 1, 2, 3])
        var navigation = NavigationState()
        navigation.push(.discovery, on: .contacts)
        navigation.push(.settings(section: "node"), on: .settings)
        #expect(navigation.path(of: .contacts) == [.discovery] && navigation.path(of: .chats).isEmpty)
        for _ in 0..<40 { navigation.push(.discovery, on: .map) }
        #expect(navigation.path(of: .map).count == 16)
        navigation.pop(on: .contacts)
        navigation.pop(on: .contacts)
        #expect(navigation.path(of: .contacts).isEmpty)
        navigation.popToRoot(of: .map)
        #expect(navigation.path(of: .map).isEmpty)
    }
}

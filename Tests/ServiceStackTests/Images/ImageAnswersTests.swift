import Foundation
import MeshWire
import Testing

@testable import PocketMeshServices

/// The reports about pictures that are complete, without radio, store or clock.
@Suite struct ImageAnswersTests {
    private static func key(_ number: UInt32) -> ImageAssembly.Key {
        .init(sender: FixedBytes(repeatElement(2, count: 6)), imageID: number)
    }

    private func answers(pictures: UInt32 = 1) -> ImageAnswers {
        var answers = ImageAnswers()
        for number in 1...pictures { answers.note(Self.key(number), from: UUID(), total: 9) }
        return answers
    }

    @Test func `a picture is reported at growing distances, and no more often than the limit`() {
        var answers = answers()

        let times = (0..<100_000).filter { answers.isDue(Self.key(1), total: 9, at: .milliseconds(50 * $0)) }

        let gaps = zip(times, times.dropFirst()).map { $1 - $0 }
        #expect(times.count == ImageAnswers.limit)
        #expect(gaps[0] == 20 && zip(gaps, gaps.dropFirst()).allSatisfy { $0 < $1 })
        #expect(Duration.milliseconds(50 * times[23]) < .seconds(400))
    }

    @Test func `a sender that asks again every few seconds is answered the first ten times`() {
        var answers = answers()

        let isAnswered = (0..<10).map { answers.isDue(Self.key(1), total: 9, at: .seconds(6 * $0)) }

        #expect(!isAnswered.contains(false))
    }

    @Test func `what is not known, or has another number of chunks, is not reported`() {
        var answers = answers()

        let unknown = answers.isDue(Self.key(2), total: 9, at: .zero)
        let otherTotal = answers.isDue(Self.key(1), total: 8, at: .zero)
        let contacts = [answers.contact(of: Self.key(1)), answers.contact(of: Self.key(2))]
        answers.removeAll()
        let removed = answers.isDue(Self.key(1), total: 9, at: .zero)

        #expect([unknown, otherTotal, removed] == [false, false, false])
        #expect(contacts[0] != nil && contacts[1] == nil)
    }

    @Test func `of more pictures than are remembered the oldest is forgotten`() {
        var answers = answers(pictures: UInt32(ImageAnswers.pictures) + 1)

        let second = answers.isDue(Self.key(2), total: 9, at: .zero)

        #expect(answers.contact(of: Self.key(1)) == nil)
        #expect(second)
    }
}

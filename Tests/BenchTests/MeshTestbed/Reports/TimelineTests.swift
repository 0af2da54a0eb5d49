import MeshTime
import MeshWire
import Testing

@testable import MeshReports

/// Pictures of events in their times.
struct TimelineTests {
    private func sample() -> Timeline {
        var timeline = Timeline(lanes: [.app("app"), .radio("radio"), .air("air")])
        timeline.add(.init(.frame, in: 0, at: .milliseconds(10), "SEND_TXT_MSG", detail: "text \"hi\" & <more>"), to: 1)
        timeline.add(.init(.frame, in: 1, at: .milliseconds(10), "SENT"), to: 0)
        timeline.add(.init(.packet, in: 1, at: .milliseconds(40), for: .milliseconds(380), "TXT_MSG flood"), to: 2)
        timeline.add(.init(.note, in: 0, at: .seconds(9), "wait 8000 ms"))
        timeline.add(.init(.failure, in: 0, at: .seconds(14), "got nothing"))
        return timeline
    }

    /// The box of each label: left, right and baseline.
    private func labels(_ svg: String) -> [(left: Int, right: Int, y: Int, words: String)] {
        svg.matches(of: /<text class="tl-label [^"]*" x="(\d+)" y="(\d+)"><title>[^<]*<\/title>([^<]*)<\/text>/).map {
            let words = String($0.3).replacing("&lt;", with: "<").replacing("&quot;", with: "\"")
            let left = Int($0.1) ?? 0
            return (left, left + TextWidth.units(words), Int($0.2) ?? 0, words)
        }
    }

    @Test func `time runs down, in order, whatever the order of the events`() {
        var timeline = Timeline(lanes: [.radio("a")])
        for at in [5, 1, 3] { timeline.add(.init(.note, in: 0, at: .milliseconds(at), "at \(at)")) }

        let boxes = labels(TimelineDrawing(timeline).inline)

        #expect(boxes.sorted { $0.y < $1.y }.map(\.words) == ["at 1", "at 3", "at 5"])
    }

    @Test(arguments: 1...9)
    func `labels neither overlap nor leave the picture`(_ lanes: Int) throws {
        var timeline = Timeline(lanes: (0..<lanes).map { .radio("node \($0)") })
        var random = Seed(7).stream("labels", "\(lanes)")
        for _ in 0..<120 {
            let words = String(repeating: "label ", count: Int(random.next() % 20)) + "地"
            let event = Timeline.Event(
                .packet, in: Int(random.next() % UInt64(lanes)), at: .microseconds(random.next() % 3_000_000),
                for: .microseconds(random.next() % 400_000), words)
            let index = timeline.add(event)
            guard random.next() % 2 == 0 else { continue }
            let later = event.at + .microseconds(random.next() % 500_000)
            timeline.addArrow(from: index, to: Int(random.next() % UInt64(lanes)), at: later)
        }

        let svg = TimelineDrawing(timeline).inline
        let boxes = labels(svg).sorted { $0.y < $1.y }
        let width = try #require(svg.firstMatch(of: /viewBox="0 \d+ (\d+)\s/).flatMap { Int($0.1) })

        #expect(boxes.count == 120)
        #expect(boxes.allSatisfy { $0.left >= TimelineDrawing.gutter && $0.right <= width })
        // A line of text is 11 units high; baselines so far apart leave room between two.
        #expect(zip(boxes, boxes.dropFirst()).allSatisfy { $1.y - $0.y >= 12 })
    }

    @Test func `a pause is drawn short and says how long it was`() {
        let svg = TimelineDrawing(sample()).inline

        // From the end of the packet to the wait, and from there to the failure.
        #expect(svg.matches(of: /⋯/).count == 2)
        #expect(svg.contains("⋯ 8.5 s"))
        #expect(svg.contains("⋯ 5.0 s"))
    }

    @Test func `what takes time is as long as its share, up to a break`() throws {
        let svg = TimelineDrawing(sample()).inline

        // 380 of 600 milliseconds are 38 of 60 units, and 13 come with the row of its end.
        let span = try #require(svg.firstMatch(of: /class="tl-span"[^>]* height="(\d+)"/))
        #expect(span.1 == "51")
    }

    @Test func `an arrow ends where and when it arrives`() throws {
        var timeline = Timeline(lanes: [.radio("a"), .radio("b")])
        let packet = timeline.add(.init(.packet, in: 0, at: .start, for: .milliseconds(100), "ADVERT"))
        timeline.addArrow(from: packet, to: 1, at: .milliseconds(100))
        timeline.addArrow(from: packet, to: 1, at: .milliseconds(50), isLost: true)

        let svg = TimelineDrawing(timeline).inline
        let arrows = svg.matches(of: /class="tl-arrow( tl-away)?" d="M(\d+) (\d+)L(\d+) (\d+)"/)

        #expect(arrows.count == 2)
        #expect(arrows.map { $0.1 != nil } == [false, true])
        let ends = arrows.compactMap { Int($0.5) }
        #expect(ends[0] > ends[1])
        #expect(arrows.allSatisfy { $0.2 == "137" && $0.4 == "287" })
        let span = try #require(svg.firstMatch(of: /class="tl-span" x="\d+" y="(\d+)" width="8" height="(\d+)"/))
        #expect(Int(span.1).map { $0 + (Int(span.2) ?? 0) } == ends[0])
    }

    @Test func `what cannot be in a page is escaped, and every event says its details`() {
        let svg = TimelineDrawing(sample()).inline

        #expect(svg.contains("text &quot;hi&quot; &amp; &lt;more&gt;"))
        #expect(!svg.contains("<more>"))
    }

    @Test func `of a long story the end is drawn`() {
        var timeline = Timeline(lanes: [.app("app")])
        for number in 0..<500 { timeline.add(.init(.note, in: 0, at: .milliseconds(number), "number \(number)")) }

        let svg = TimelineDrawing(timeline, limit: 50).inline

        #expect(labels(svg).count == 50)
        #expect(svg.contains("number 499"))
        #expect(svg.contains("450 earlier events not drawn"))
    }

    @Test func `times and pauses read well`() {
        #expect(TimelineDrawing.words(Instant.microseconds(132_999)) == "0.132 s")
        #expect(TimelineDrawing.words(Instant.milliseconds(125_100)) == "2:05.100")
        #expect(TimelineDrawing.words(Instant.seconds(3600)) == "1:00:00.000")
        #expect(TimelineDrawing.words(TimeSpan.microseconds(430)) == "0.4 ms")
        #expect(TimelineDrawing.words(TimeSpan.milliseconds(380)) == "380 ms")
        #expect(TimelineDrawing.words(TimeSpan.milliseconds(4250)) == "4.2 s")
        #expect(TimelineDrawing.words(TimeSpan.seconds(720)) == "12 min")
    }

    @Test func `a page has the names of the lanes apart, as wide as the picture`() throws {
        let drawing = TimelineDrawing(sample())

        let heads = drawing.inlineHeads
        let picture = drawing.inline

        #expect(heads.contains("tl-name") && !picture.contains("tl-name"))
        #expect(drawing.svg.contains("tl-name"))
        let width = /viewBox="0 (\d+) (\d+) (\d+)"/
        let top = try #require(heads.firstMatch(of: width))
        let rest = try #require(picture.firstMatch(of: width))
        #expect(top.output.2 == rest.output.2)
        #expect(rest.output.1 == top.output.3)
    }

    @Test func `an empty timeline is a picture too`() {
        #expect(TimelineDrawing(Timeline(lanes: [.air("air")])).svg.hasSuffix("</svg>\n"))
    }
}

package import MeshTime

/// The contents of the player: the nodes, the events, and a few facts about their origin.
///
/// ```swift
/// let document = PlayerDocument(try TraceFile(bytes))
/// let page = PlayerPage(document).html
/// ```
package struct PlayerDocument: Hashable, Sendable {
    /// The source of a document, which the page names.
    package enum Source: String, Sendable {
        case trace, live, recording, report
    }

    /// A line of the page's "About".
    package struct Fact: Hashable, Sendable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    package var source: Source
    /// The title of the page.
    package var title: String
    package var facts: [Fact] = []
    package var world: PlayerWorld
    package var events = PlayerEvents()
    /// The length of the run; not before the last event.
    package var span = TimeSpan.zero
    /// For a piece of a live run: which events of the run these are.
    var piece: Piece?

    /// A part of a live run.
    struct Piece: Hashable, Sendable {
        /// The number of the first event, of all that the run had so far.
        var from: Int
        /// The number of the event behind the last one of this piece.
        var next: Int
        /// The number of events that the run had so far.
        var count: Int
        /// The number of times that the run has gone back to a snapshot.
        var generation: Int
    }

    package init(_ source: Source, title: String, world: PlayerWorld) {
        self.source = source
        self.title = title
        self.world = world
    }
}

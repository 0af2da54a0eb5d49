@testable import MeshStudy

/// Studies of a small world, as texts.
enum StudyText {
    /// A line of repeaters with people at both ends; the second arm waits before it relays.
    static func delays(seeds: Int = 30, metrics: String = #""delivery": 0.05, "airtime": 0.2"#) -> String {
        """
        {
          "study": "delays", "question": "Does waiting help?", "threads": ["https://example.org/1"],
          "world": "line:4", "for": "60s", "traffic": "flood:10s", "seeds": \(seeds),
          "arms": [
            {"name": "now", "repeater": {"flood_delay_factor": 0}},
            {"name": "later", "repeater": {"flood_delay_factor": 2}}
          ],
          "metrics": {\(metrics)}
        }
        """
    }

    static func plan(_ text: String) throws -> StudyPlan { try StudyPlan(reading: Array(text.utf8)) }
}

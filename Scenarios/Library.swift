public import MeshTestbed

extension ScenarioLibrary {
    /// The scenarios that come with the harness, story by story.
    public static let shipped = ScenarioLibrary(
        DirectStories.all + FloodStories.all + RetryStories.all)
}

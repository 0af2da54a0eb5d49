package import MeshTestbed

extension ScenarioLibrary {
    /// The scenarios that come with the harness, story by story, and those that seeds make.
    package static let shipped = ScenarioLibrary(
        [
            FirstContactStories.all,
            VersionStories.all,
            DirectStories.all,
            FloodStories.all,
            RetryStories.all,
            PathStories.all,
            ChannelStories.all,
            SyncStories.all,
            OfflineQueueStories.all,
            CrowdStories.all,
            PartitionStories.all,
            RoomStories.all,
            RepeaterStories.all,
            SensorStories.all,
            BodyStories.all,
            RegionStories.all,
            ImageStories.all,
            ClockStories.all,
            HostileStories.all,
            RestartStories.all,
            TransportStories.all,
            FieldNeeds.all.map(\.story),
        ].flatMap(\.self),
        drawn: DrawnTexts.all + DrawnMixes.all + DrawnMeetings.all + DrawnRooms.all + DrawnFaults.all + DrawnLoads.all
            + DrawnPictures.all)
}

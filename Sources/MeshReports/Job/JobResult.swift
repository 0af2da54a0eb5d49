/// A result that a build server's pages can show.
package protocol JobResult {
    /// The summary in Markdown: the answer first.
    var jobSummary: String { get }
    /// The result in three words.
    var badge: StatusBadge { get }
    /// Findings that are shown beside the steps of the job, as many as GitHub shows.
    func annotations(_ policy: ExitPolicy) -> [WorkflowCommand]
}

extension TestReport: JobResult {}

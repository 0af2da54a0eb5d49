import MeshFiles
import MeshWorlds

// A study that was written in Swift is read as the file that it would be: there is one reader of both.
extension StudyPlan {
    /// Reads a study of a program. `program` names the program; it is asked for where the study has metrics of its own,
    /// which no text of the study tells apart.
    package init(_ study: Study, of program: () throws -> String) throws(StudyProblem) {
        let own = study.metrics.filter(\.isOwn)
        do {
            for metric in own {
                guard StudyRows.isName(metric.name) else {
                    throw StudyProblem("metric '\(metric.name)': its name \(StudyRows.namesAre)")
                }
                guard !StudyMetric.known.contains(metric) else {
                    throw StudyProblem("metric '\(metric.name)': its name is that of another metric")
                }
            }
            let file = try study.file
            let text = try file.jsonText() + (own.isEmpty ? "" : program())
            try self.init(JSONFields(file.json, at: ""), text: Array(text.utf8), own: own)
        } catch {
            throw StudyProblem("study \(study.name): \(error)")
        }
    }
}

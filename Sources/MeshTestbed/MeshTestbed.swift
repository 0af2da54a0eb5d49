// What an author of scenarios, or of checks of a radio, needs comes with one import.
@_exported public import MeshBoards
@_exported public import MeshCompliance
@_exported public import MeshReports
@_exported public import MeshScenarios
@_exported public import MeshStudy
@_exported public import MeshWorlds

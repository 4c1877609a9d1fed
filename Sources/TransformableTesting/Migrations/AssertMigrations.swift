public import Testing

/// Checks that the data of each model version survives the migration to every newer version, on every path.
///
/// Each violation is recorded as an issue of the current test.
///
/// - Parameters:
///   - test: The model versions and their data.
///   - sourceLocation: The source location to which issues are attributed.
/// - Returns: Reports about the migrated data.
/// - Throws: Any error thrown while a store of an old version is created.
@discardableResult
public func assertMigrations(
    _ test: MigrationTest,
    sourceLocation: SourceLocation = #_sourceLocation
) throws -> [MigrationReport] {
    let result = try test.run()
    for violation in result.violations {
        Issue.record(Comment(rawValue: violation.description), sourceLocation: sourceLocation)
    }
    return result.reports
}

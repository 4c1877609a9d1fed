public import Testing

/// Checks that data of every version of a model comes to every newer one, whole and by whichever way.
///
/// Each violation is recorded as an issue of the test that calls this.
///
/// - Parameters:
///   - test: The versions of the model, with data.
///   - sourceLocation: Where the issues are recorded.
/// - Returns: What became of the data.
/// - Throws: What making a store of an old version throws.
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

import Testing
import _PostgresServer

extension Trait where Self == ConditionTrait {
    /// Skips tests where PostgreSQL is not installed.
    static var needsPostgres: Self {
        .enabled(if: PostgresServer.programs != nil, "initdb was not found: install PostgreSQL to run these tests")
    }
}

import Foundation
import Testing
import TransformablePostgres

/// The cluster that the tests use.
enum CitusCluster {
    /// The address of the coordinator, or `nil` without a cluster.
    static let address = ProcessInfo.processInfo.environment["TRANSFORMABLE_CITUS"]

    static var options: PostgresOptions {
        var options = PostgresOptions()
        options.distribution = .byTenant
        return options
    }

    /// Whether the cluster counts the statements that it sends to more than one part of a table.
    static var countsStatements: Bool {
        let sql = "SELECT coalesce(current_setting('citus.enable_stat_counters', true), 'off')"
        guard let address = Self.address, let connection = try? PostgresConnection(PostgresAddress(address)) else {
            return false
        }
        let values = try? connection.rows(PostgresStatement(sql)) { try $0.value(0, as: String.self) }
        return values == ["on"]
    }

    static func number(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment["TRANSFORMABLE_CITUS_\(name)"].flatMap { Int($0) }
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips tests without a cluster.
    static var needsCitus: Self {
        .enabled(if: CitusCluster.address != nil, "run “make test-citus”")
    }
}

import CPeers
import Foundation
import TransformablePostgres
import _PostgresServer

/// The rows by plain C on libpq.
final class LibpqPatients {
    private let address: String
    private let attribute: SealedAttribute
    private var next: Int64 = 1

    init(on server: PostgresServer, _ attribute: SealedAttribute) throws {
        address = try server.address.connectionString
        self.attribute = attribute
    }

    /// Copies rows, whose numbers follow those of the last call.
    func write(_ count: Int64) throws(Disagreement) {
        let isDone = withUnsafePointer(to: attribute.peer.sealing) { peers_copy_rows(address, $0, next, count) }
        guard isDone == 1 else { throw Disagreement(description: "libpq cannot copy the rows") }
        next += count
    }

    func sum(of table: String = "plain") throws(Disagreement) -> Double {
        let sum = withUnsafePointer(to: attribute.peer.sealing) { peers_fetch_rows(address, table, $0) }
        guard sum >= 0 else { throw Disagreement(description: "libpq cannot read the rows") }
        return sum
    }
}

import CPeers
import Foundation

/// The rows by plain C on SQLite.
struct SQLitePatients {
    private let path: String
    private let attribute: SealedAttribute

    init(at url: URL, _ attribute: SealedAttribute) throws {
        path = url.path
        self.attribute = attribute
    }

    func write(_ count: Int64) throws(Disagreement) {
        let code = withUnsafePointer(to: attribute.peer.sealing) { peers_write_rows(path, $0, count) }
        guard code == 0 else { throw Disagreement(description: "SQLite fails with code \(code)") }
    }

    func sum() throws(Disagreement) -> Double {
        let sum = withUnsafePointer(to: attribute.peer.sealing) { peers_read_rows(path, $0) }
        guard sum >= 0 else { throw Disagreement(description: "SQLite cannot read the rows") }
        return sum
    }
}

package import Foundation
internal import Synchronization
package import Transformable

/// The keys and the columns that the tags of a store's rows depend on.
///
/// An engine that cannot call Swift from SQL uses this object directly: the store computes and checks the tags before it
/// sends rows, and after it has received them.
package final class RowAuthenticator: Sendable {
    /// The number of bytes of a key's identifier.
    package static let keyCount = 8

    /// The state required for computing an entity's tags.
    package final class Rows: Sendable {
        package let seal: RowSeal
        fileprivate let sealers = Mutex<[UInt64: any RowSealer]>([:])

        fileprivate init(_ seal: RowSeal) {
            self.seal = seal
        }
    }

    private struct Contents {
        var store: UUID
        /// The key of new tags, or `nil` if the ring does not have it.
        var key: UInt64?
        var rows: [UInt32: Rows]
    }

    private let sealer: any StoreSealer
    private let contents = Mutex<Contents?>(nil)

    /// Creates an object without entities, or returns `nil` if there is no secret key.
    package init?(_ registry: TransformerRegistry) {
        guard let sealer = registry.sealer, sealer.canSeal else { return nil }
        self.sealer = sealer
    }

    /// The key of new tags, or `nil` if the ring does not have it.
    package var currentKey: UInt64? { contents.withLock { $0?.key } }

    /// Returns the state of an entity that authenticates its rows, or `nil` if there is no such entity.
    package func rows(of entity: UInt32) -> Rows? { contents.withLock { $0?.rows[entity] } }

    /// Returns the sealer of an entity's rows.
    ///
    /// - Parameters:
    ///   - key: The identifier of the key.
    ///   - rows: The entity.
    ///   - number: The number of the row, for errors.
    /// - Returns: The sealer.
    /// - Throws: ``RowFault`` if the key is missing, no longer in use, or shared with others.
    package func sealer(_ key: UInt64, _ rows: Rows, of number: Int64) throws -> any RowSealer {
        try rows.sealers.withLock { known in
            if let sealer = known[key] { return sealer }
            let name = String(key, radix: 16)
            let identifier = String(repeating: "0", count: 2 * Self.keyCount - name.count) + name
            do {
                guard let store = contents.withLock({ $0?.store }) else { throw Self.misuse }
                let made = try sealer.rowSealer(for: store, entity: rows.seal.entity, under: identifier)
                known[key] = made
                return made
            } catch {
                let kind = (error as? TransformerError).flatMap { RowFault.Kind(rawValue: $0.code.rawValue) }
                throw RowFault(kind ?? .missingKey, identifier, rows.seal, of: number)
            }
        }
    }

    package static let misuse = StoreError(.misuse, "the arguments do not describe an authenticated row")
}

extension RowAuthenticator: RowTagFunctions {
    package func take(_ seals: [RowSeal], of store: UUID, on connection: any EngineConnection) throws {
        guard !seals.isEmpty else { return contents.withLock { $0 = nil } }
        let former = try connection.keyOfSeal()
        let key = (try? sealer.sealingKey(succeeding: former)).flatMap { UInt64($0, radix: 16) }
        let rows = Dictionary(seals.map { ($0.entity, Rows($0)) }) { first, _ in first }
        contents.withLock { $0 = Contents(store: store, key: key, rows: rows) }
    }
}

// MARK: - Tags

extension RowAuthenticator {
    /// Returns the key's identifier and the tag of a row under the current key.
    ///
    /// - Parameters:
    ///   - entity: The entity's number.
    ///   - cells: The row's number, its version, and the cells of the columns that the tag covers.
    /// - Returns: 24 bytes.
    /// - Throws: ``RowFault`` if the key is missing.
    package func tag(of entity: UInt32, _ cells: [ColumnValue]) throws -> Data {
        guard let rows = rows(of: entity) else { throw Self.misuse }
        let message = try RowContent(cells, rows.seal)
        guard let key = currentKey else { throw RowFault(.missingKey, "", rows.seal, of: message.number) }
        let sealer = try sealer(key, rows, of: message.number)
        let tag = try unsafe message.bytes.withUnsafeBytes { try unsafe sealer.tag(of: $0) }
        return unsafe withUnsafeBytes(of: key.bigEndian) { unsafe Data($0) } + tag
    }

    /// Checks the tag of a row.
    ///
    /// - Parameters:
    ///   - tag: What is in the row in place of a tag.
    ///   - entity: The entity's number.
    ///   - cells: The row's number, its version, and the cells of the columns that the tag covers.
    /// - Throws: ``RowFault`` if the tag does not match, or if its key is missing or no longer in use.
    package func check(_ tag: ColumnValue, of entity: UInt32, _ cells: [ColumnValue]) throws {
        guard let rows = rows(of: entity) else { throw Self.misuse }
        let message = try RowContent(cells, rows.seal)
        guard case .blob(let tag) = tag, tag.count == RowSeal.sealCount, tag.contains(where: { $0 != 0 }) else {
            throw RowFault(.forged, "", rows.seal, of: message.number)
        }
        let key = tag.prefix(Self.keyCount).reduce(0) { $0 << 8 | UInt64($1) }
        let sealer = try sealer(key, rows, of: message.number)
        let isRight = try unsafe tag.dropFirst(Self.keyCount)
            .withUnsafeBytes { tag in
                try unsafe message.bytes.withUnsafeBytes { try unsafe sealer.isTag(tag, of: $0) }
            }
        guard isRight else { throw RowFault(.forged, "", rows.seal, of: message.number) }
    }
}

/// A row's number, and the bytes that its tag covers.
private struct RowContent {
    /// The row's number, or 0 if it is not a number.
    let number: Int64
    private(set) var bytes: Data

    /// - Throws: `StoreError` if there is not a cell for each column.
    init(_ cells: [ColumnValue], _ seal: RowSeal) throws(StoreError) {
        guard cells.count == seal.columns.count + 2 else { throw RowAuthenticator.misuse }
        number = if case .integer(let number) = cells[0] { number } else { 0 }
        let count = cells.reduce(0) { $0 + RowMessage.byteCount(of: $1) }
        bytes = Data(count: RowMessage.byteCount(columns: seal.columns.count, cells: count))
        unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe RowMessage.write(seal.columns, to: buffer) { unsafe RowMessage.append(cells[$0], to: $1, &$2) }
        }
    }
}

/// The functions with which an engine's connections compute and check the tags of rows.
///
/// ``RowSeal/Function`` has their names.
package protocol RowTagFunctions: AnyObject, Sendable {
    /// Sets the entities of the database, on whose numbers and columns the tags depend.
    ///
    /// - Parameters:
    ///   - seals: The tags of all entities that authenticate their rows.
    ///   - store: The store's UUID.
    ///   - connection: A connection to the database.
    /// - Throws: `StoreError` with the code `limit-exceeded` if an entity has too many columns.
    func take(_ seals: [RowSeal], of store: UUID, on connection: any EngineConnection) throws
}

internal import Synchronization
internal import TransformableModel
internal import TransformableStore

/// A statement that inserts a row with a tag, which is computed from its parameters before it is sent.
struct TaggedText: Sendable {
    /// The statement, whose last parameter is the tag.
    let sql: String
    /// The entity's number.
    let entity: UInt32
    /// The parameters that the tag covers, counted from 1, or 0 for a cell that is empty.
    let parameters: [Int]

    /// Returns `nil` if the statement computes no tag.
    init?(_ sql: String) {
        let head = "\(RowSeal.Function.tag)("
        guard let call = sql.firstRange(of: head), let end = sql[call.upperBound...].firstIndex(of: ")") else {
            return nil
        }
        let arguments = sql[call.upperBound..<end].split(separator: ", ")
        guard let entity = arguments.first.flatMap({ UInt32($0) }) else { return nil }
        self.entity = entity
        parameters = arguments.dropFirst().map { Int($0.dropFirst()) ?? 0 }
        let before = sql[..<call.lowerBound]
        let count = before.split(separator: "?").dropFirst().compactMap { Int($0.prefix { $0.isNumber }) }.max() ?? 0
        self.sql = "\(before)?\(count + 1)\(sql[sql.index(after: end)...])"
    }
}

extension PostgresEngine {
    /// Returns a statement that inserts a row with a tag, or `nil` if it is another statement.
    func tagged(_ sql: String) -> TaggedText? {
        guard rowAuthenticator != nil, sql.hasPrefix("INSERT ") else { return nil }
        if let known = taggedTexts.withLock({ $0[sql] }) { return known }
        guard let text = TaggedText(sql) else { return nil }
        taggedTexts.withLock { texts in
            if texts.count >= Self.capacity { texts = [:] }
            texts[sql] = text
        }
        return text
    }

    /// Returns the tag of a new row.
    func tag(of values: [ColumnValue], by text: TaggedText) throws -> ColumnValue {
        guard let rowAuthenticator, text.parameters.allSatisfy({ $0 <= values.count }) else {
            throw RowAuthenticator.misuse
        }
        let cells = text.parameters.map { $0 == 0 ? ColumnValue.null : values[$0 - 1] }
        return try StoreError.describingRows { .blob(try rowAuthenticator.tag(of: text.entity, cells)) }
    }
}

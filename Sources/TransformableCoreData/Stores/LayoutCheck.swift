internal import TransformableSQLite

/// Compares the tables of a store with the layout of a model.
struct LayoutCheck {
    /// Tables that are not derived from the model: Core Data's bookkeeping, and the history of changes.
    private static let others: Set<String> = [
        "Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE", "ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING",
    ]

    /// The layout with the names that the store uses where the rules leave a choice.
    private(set) var layout: CoreDataLayout
    /// What differs, in words.
    private(set) var differences: [String] = []
    private let tables: [String: [ForeignReader.Column]]

    init(_ layout: CoreDataLayout, _ tables: [String: [ForeignReader.Column]]) {
        self.layout = layout
        self.tables = tables
        self.layout = layout.replacing(pairs: layout.pairs.map(resolve))
        compare()
    }

    /// Returns the place of a many-to-many relationship with the names that the store uses.
    ///
    /// A name that occurs elsewhere has a number at its end.
    private func resolve(_ pair: PairPlace) -> PairPlace {
        guard let name = pair.names.first(where: { tables[$0] != nil }), let columns = tables[name]?.map(\.name) else {
            return pair
        }
        func resolve(_ name: inout PairPlace.Name) {
            guard !columns.contains(name.text) else { return }
            let isNumbered = { (column: String) in
                column.hasPrefix(name.base) && column.dropFirst(name.base.count).allSatisfy(\.isNumber)
            }
            name.text = columns.first(where: isNumbered) ?? name.text
        }
        func resolve(_ side: inout PairPlace.Side) {
            resolve(&side.column)
            if var order = side.order {
                resolve(&order)
                side.order = order
            }
        }
        var resolved = pair
        resolved.names = [name]
        resolve(&resolved.first)
        resolve(&resolved.second)
        return resolved
    }

    private mutating func compare() {
        let expected = layout.tables
        for table in expected {
            guard let columns = tables[table.name] else {
                differences.append("there is no table “\(table.name)”")
                continue
            }
            compare(table, columns)
        }
        let known = Set(expected.map(\.name))
        for name in tables.keys.sorted() where name.hasPrefix("Z") && !known.contains(name) {
            guard !Self.others.contains(name) else { continue }
            differences.append("the model has no table “\(name)”")
        }
    }

    private mutating func compare(_ table: CoreDataLayout.Table, _ columns: [ForeignReader.Column]) {
        let actual = Dictionary(columns.map { ($0.name, $0) }) { first, _ in first }
        for column in table.columns {
            guard let found = actual[column.name] else {
                differences.append("“\(table.name)” has no column “\(column.name)”")
                continue
            }
            if found.type.uppercased() != column.type {
                differences.append("“\(table.name).\(column.name)” is \(found.type), not \(column.type)")
            } else if column.name == "Z_PK", !found.isKey {
                differences.append("“\(table.name).Z_PK” is not the primary key")
            }
        }
        let known = Set(table.columns.map(\.name))
        for name in actual.keys.sorted() where !known.contains(name) {
            differences.append("the model has no column “\(table.name).\(name)”")
        }
    }
}

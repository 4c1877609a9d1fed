package import TransformableModel

/// A table of a store, with what another database needs to know to hold its rows.
package struct TableDescription: Sendable {
    /// What a table contains.
    package enum Role: Sendable, Hashable {
        /// The store's own records, such as its model.
        case metadata
        /// The objects of the entity with this name.
        case entity(String)
        /// The pairs of a many-to-many relationship.
        case pairs
        /// Rows that a migration has set aside.
        case aside

        /// The name of the entity whose objects the table contains.
        package var entity: String? {
            if case .entity(let name) = self { name } else { nil }
        }
    }

    /// A column.
    package struct Column: Sendable, Hashable {
        /// What its cells contain.
        package enum Content: Sendable, Hashable {
            /// The values of an attribute, or references and positions.
            case attribute(AttributeType)
            /// Integers, numbers, text, or bytes, as the column's declared type says.
            case integer, real, text, bytes
            /// The UUID of the store or of a blob.
            case uuid
            /// Anything, such as the values of an attribute that is no longer in the model.
            case any
        }

        package let name: String
        package let content: Content
        package let isRequired: Bool
        /// Whether a cell may contain the name of a blob instead of the value.
        package var isExternal = false
        /// Whether the column contains the new cells of a re-encoding that has not finished.
        package var isShadow: Bool { ShadowColumn.attribute(of: name) != nil }

        package init(_ name: String, _ content: Content, isRequired: Bool = false, isExternal: Bool = false) {
            self.name = name
            self.content = content
            self.isRequired = isRequired
            self.isExternal = isExternal
        }
    }

    /// A column that refers to the rows of a table.
    package struct Reference: Sendable, Hashable {
        package let column: String
        package let table: String
        /// Whether it refers to rows of the same tenant.
        package let isWithinTenant: Bool

        package init(_ column: String, to table: String, isWithinTenant: Bool = false) {
            self.column = column
            self.table = table
            self.isWithinTenant = isWithinTenant
        }
    }

    /// An index over several columns.
    package struct Index: Sendable, Hashable {
        package let name: String
        package let columns: [SortKey]
        package let isUnique: Bool
        /// Whether it contains only the rows whose text may not be in Unicode's composed form (``TextIndex``).
        package let isOfOtherText: Bool

        package init(_ name: String, _ columns: [SortKey], isUnique: Bool, isOfOtherText: Bool = false) {
            self.name = name
            self.columns = columns
            self.isUnique = isUnique
            self.isOfOtherText = isOfOtherText
        }
    }

    /// The columns of a reference to a family, at most one of which contains a number.
    package struct Choice: Sendable, Hashable {
        package let columns: [String]
        package let isRequired: Bool

        package init(_ columns: [String], isRequired: Bool) {
            self.columns = columns
            self.isRequired = isRequired
        }
    }

    package let name: String
    package let role: Role
    package let columns: [Column]
    /// The columns that identify a row, in whose order the rows are read.
    package let key: [String]
    package var references: [Reference] = []
    package var indexes: [Index] = []
    package var choices: [Choice] = []

    package init(_ name: String, _ role: Role, columns: [Column], key: [String]) {
        self.name = name
        self.role = role
        self.columns = columns
        self.key = key
    }

    /// Whether the rows are objects or pairs of tenants.
    package var belongsToTenants: Bool {
        guard role != .metadata, role != .aside else { return false }
        return hasTenantColumn
    }

    /// Whether the table has a column with the tenants of its rows.
    package var hasTenantColumn: Bool { columns.contains { $0.name == TenantColumn.name.name } }

    /// The name of the entity whose objects the table contains, or `nil` if it contains anything else.
    package var entity: String? {
        role.entity
    }
}

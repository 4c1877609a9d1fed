public import Foundation

/// Recognizes a kind of data and describes it, without any key.
public struct Inspector: Sendable {
    /// The kind of data, such as “PNG image”.
    public let name: String
    private let body: @Sendable (Data) throws -> Inspection?

    /// Creates an inspector.
    ///
    /// - Parameters:
    ///   - name: The kind of data.
    ///   - inspect: A closure that returns nil for other kinds of data, and throws an error if the data is damaged.
    public init(_ name: String, inspect: @escaping @Sendable (Data) throws -> Inspection?) {
        self.name = name
        body = inspect
    }

    /// Describes data.
    ///
    /// - Parameter bytes: The data.
    /// - Returns: A description, or nil if the data is of a different kind.
    /// - Throws: ``TransformerError`` if the data is of this kind but damaged.
    public func inspect(_ bytes: Data) throws -> Inspection? {
        try body(bytes)
    }
}

/// The result of an ``Inspector``: labeled facts, and optional text of any length.
public struct Inspection: Sendable {
    /// A fact, such as “width” and “640”.
    public struct Fact: Sendable, Hashable, Codable {
        /// The label.
        ///
        /// A name that comes from the data follows a word of the inspector, as in `text “Title”`, so that it cannot
        /// pass for another fact.
        public let label: String
        /// The value.
        public let value: String

        /// Creates a fact.
        public init(_ label: String, _ value: String) {
            self.label = label
            self.value = value
        }
    }

    /// The kind of data, such as “PNG image”.
    public let kind: String
    /// The facts, in display order.
    public let facts: [Fact]
    /// A longer description of the contents, such as the tree of an archive.
    public let details: String?

    /// Creates a description.
    public init(_ kind: String, facts: [Fact], details: String? = nil) {
        self.kind = kind
        self.facts = facts
        self.details = details
    }
}

public import Foundation

/// Recognises one kind of bytes and describes them for a person, without any key.
public struct Inspector: Sendable {
    /// What it recognises: “PNG image”.
    public let name: String
    private let body: @Sendable (Data) throws -> Inspection?

    /// Makes an inspector.
    ///
    /// - Parameters:
    ///   - name: What it recognises.
    ///   - inspect: Gives nil for bytes of another kind; throws for damaged bytes of this one.
    public init(_ name: String, inspect: @escaping @Sendable (Data) throws -> Inspection?) {
        self.name = name
        body = inspect
    }

    /// Describes bytes.
    ///
    /// - Parameter bytes: Bytes of any kind.
    /// - Returns: A description; nil if they are of another kind.
    /// - Throws: ``TransformerError`` if they are of this kind and damaged.
    public func inspect(_ bytes: Data) throws -> Inspection? {
        try body(bytes)
    }
}

/// What an ``Inspector`` found: labelled facts, and a text of any length.
public struct Inspection: Sendable {
    /// One fact: “width”, “640”.
    public struct Fact: Sendable, Hashable, Codable {
        /// What it is about.
        public let label: String
        /// What was found.
        public let value: String

        /// Makes a fact.
        public init(_ label: String, _ value: String) {
            self.label = label
            self.value = value
        }
    }

    /// The kind of bytes: “PNG image”.
    public let kind: String
    /// Facts in the order to show them.
    public let facts: [Fact]
    /// A longer picture of the content, such as an archive's tree.
    public let details: String?

    /// Makes a description.
    public init(_ kind: String, facts: [Fact], details: String? = nil) {
        self.kind = kind
        self.facts = facts
        self.details = details
    }
}

/// What a reader of property lists spends at most; checked before memory is taken.
package struct PropertyListLimits: Sendable {
    /// The size in bytes.
    package var bytes: Int
    /// The number of objects.
    package var objects: Int

    package init(bytes: Int, objects: Int) {
        self.bytes = bytes
        self.objects = objects
    }
}

/// The two forms of property lists that are read and written.
package enum PropertyListForm: String, Sendable {
    case binary
    case xml
}

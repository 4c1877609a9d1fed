internal import Foundation

/// The first bytes of an SQLite file: enough to know most stores without opening them.
struct FileHeader {
    private static let place = 68..<72
    private let bytes: Data

    /// Reads a file's header.
    ///
    /// - Throws: ``StoreError`` if the file cannot be read.
    init(_ path: String) throws(StoreError) {
        guard let descriptor = try FileSystem.openToRead((path as NSString).resolvingSymlinksInPath) else {
            bytes = Data()
            return
        }
        bytes = try FileReader(descriptor, path: path).readAll(count: Self.place.upperBound)
    }

    /// Whether it says that the file is a store; as the log of writes is not seen, no is no answer.
    var isStore: Bool {
        guard bytes.count >= Self.place.upperBound else { return false }
        return bytes[Self.place].reduce(0) { $0 << 8 | Int64($1) } == Metadata.applicationID
    }
}

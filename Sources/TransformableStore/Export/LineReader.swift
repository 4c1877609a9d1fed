internal import Foundation

/// Reads a file line by line.
struct LineReader {
    // A line cannot be longer than the largest text in a cell.
    private static let limit = 1 << 30
    private static let block = 1 << 18

    /// The file's name, for messages.
    let name: String
    /// The number of lines that have been read.
    private(set) var line = 0
    private var reader: FileReader
    private var buffer: [UInt8] = []
    private var position = 0
    private var isAtEnd = false

    /// Opens a file, or returns `nil` if there is none.
    ///
    /// - Parameters:
    ///   - name: The file's name.
    ///   - folder: The folder that contains the file.
    /// - Throws: `StoreError` with the code `input-output` if the file cannot be opened.
    init?(_ name: String, in folder: String) throws(StoreError) {
        let path = "\(folder)/\(name)"
        guard let descriptor = try FileSystem.openToRead(path) else { return nil }
        self.name = name
        reader = FileReader(descriptor, path: path)
    }

    /// Returns the next line without its line break, or `nil` at the end.
    ///
    /// - Throws: `StoreError` with the code `input-output` or `limit-exceeded`.
    mutating func next() throws(StoreError) -> ArraySlice<UInt8>? {
        var searched = position
        while true {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { position = end + 1 }
                line += 1
                return buffer[position..<end]
            }
            guard !isAtEnd else { break }
            buffer.removeFirst(position)
            (searched, position) = (buffer.count, 0)
            guard buffer.count < Self.limit else {
                throw StoreError(.limitExceeded, "“\(name)”, line \(line + 1): it exceeds a gigabyte")
            }
            let piece = try reader.read(upTo: Self.block)
            isAtEnd = piece.isEmpty
            buffer += piece
        }
        guard position < buffer.count else { return nil }
        defer { position = buffer.count }
        line += 1
        return buffer[position...]
    }

    /// Returns the members of the object on the next line, or `nil` at the end.
    ///
    /// - Throws: `StoreError`, with the code `invalid-value` if the line is not a JSON object.
    mutating func nextMembers() throws(StoreError) -> [String: String?]? {
        guard let bytes = try next() else { return nil }
        return try members(bytes)
    }

    /// Returns the members of the object on the line that was read last.
    func members(_ bytes: ArraySlice<UInt8>) throws(StoreError) -> [String: String?] {
        var reader = JSONMembers(bytes)
        var members: [String: String?] = [:]
        do throws(JSONFault) {
            while let (name, text) = try reader.next() {
                guard members.updateValue(text, forKey: name) == nil else {
                    throw JSONFault(message: "“\(name)” is given twice")
                }
            }
        } catch {
            throw fault(error.message)
        }
        return members
    }

    /// Returns the number of an object, from the members that describe it on the line that was read last.
    func number(ofObject members: [String: String?]) throws(StoreError) -> Int64 {
        guard let number = (members["_id"] ?? nil).flatMap({ Int64($0) }), number > 0 else {
            throw fault("“_id” is missing, or is not the number of an object")
        }
        return number
    }

    /// Returns the tenant of an object, from the members that describe the object on the line that was read last.
    func tenant(ofObject members: [String: String?]) throws(StoreError) -> Int64 {
        guard let tenant = (members["_tenant"] ?? nil).flatMap({ Int64($0) }) else {
            throw fault("“_tenant” is missing, or is not a number; add the number of the object's tenant")
        }
        return tenant
    }

    /// Returns an error about the line that was read last.
    func fault(_ message: String) -> StoreError {
        StoreError(.invalidValue, "“\(name)”, line \(line): \(message)")
    }
}

/// The components of a path, split as text.
///
/// Foundation's `deletingLastPathComponent` traps on Linux if the path is a single character.
struct FilePath {
    private let text: String

    init(_ text: String) {
        self.text = text
    }

    /// The part after the last `/`.
    var name: String {
        String(text.suffix(from: nameStart))
    }

    /// The folder that contains the file, or `.` if the path has no folder.
    var folder: String {
        guard nameStart > text.startIndex else { return "." }
        let folder = text[..<text.utf8.index(before: nameStart)]
        return folder.isEmpty ? "/" : String(folder)
    }

    /// The lowercased part of the name after the last dot, or nil if there is none.
    var fileExtension: String? {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
        let letters = name.suffix(from: name.index(after: dot))
        return letters.isEmpty ? nil : letters.lowercased()
    }

    /// Returns the path of another file in the same folder.
    ///
    /// - Parameter name: The other file's name.
    /// - Returns: The path.
    func sibling(_ name: String) -> String {
        "\(text[..<nameStart])\(name)"
    }

    private var nameStart: String.Index {
        // A combining mark after the slash belongs to the name.
        text.utf8.lastIndex(of: UInt8(ascii: "/")).map(text.utf8.index(after:)) ?? text.startIndex
    }
}

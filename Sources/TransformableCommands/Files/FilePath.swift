/// A path's parts, taken apart as text.
///
/// Foundation's `deletingLastPathComponent` traps on Linux for a path of one character.
struct FilePath {
    private let text: String

    init(_ text: String) {
        self.text = text
    }

    /// What stands after the last `/`.
    var name: String {
        String(text.suffix(from: nameStart))
    }

    /// The folder that the file is in; “.” where the path has none.
    var folder: String {
        guard nameStart > text.startIndex else { return "." }
        let folder = text[..<text.index(before: nameStart)]
        return folder.isEmpty ? "/" : String(folder)
    }

    /// What stands after the name's last dot, in lower case; nil if there is nothing.
    var fileExtension: String? {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
        let letters = name.suffix(from: name.index(after: dot))
        return letters.isEmpty ? nil : letters.lowercased()
    }

    /// The path of another file in the same folder.
    ///
    /// - Parameter name: The other file's name.
    /// - Returns: Its path.
    func sibling(_ name: String) -> String {
        "\(text[..<nameStart])\(name)"
    }

    private var nameStart: String.Index {
        text.lastIndex(of: "/").map(text.index(after:)) ?? text.startIndex
    }
}

public import Foundation

/// The stored bytes of an attribute whose values can be in files of their own.
///
/// The first byte is 1 if the value follows, and 2 if the name of its file follows: a UUID in uppercase, and a zero.
enum ExternalData: Equatable {
    case inline(Data)
    case file(UUID)

    /// Interprets stored bytes, or returns `nil` if they have neither form.
    init?(_ bytes: Data) {
        switch bytes.first {
        case 1: self = .inline(Data(bytes.dropFirst()))
        case 2:
            let name = bytes.dropFirst()
            guard name.count == 37, name.last == 0,
                let uuid = UUID(uuidString: String(decoding: name.dropLast(), as: UTF8.self))
            else { return nil }
            self = .file(uuid)
        default: return nil
        }
    }
}

extension CoreDataStore {
    /// The folder next to the store with values that have files of their own.
    ///
    /// It does not exist if there are none. If the store's file is reached through a symbolic link, the folder is next to
    /// the file itself.
    public var externalDataFolder: URL {
        let url = url.standardizedFileURL.resolvingSymlinksInPath()
        let name = url.deletingPathExtension().lastPathComponent
        return url.deletingLastPathComponent()
            .appending(path: ".\(name)_SUPPORT/_EXTERNAL_DATA", directoryHint: .isDirectory)
    }
}

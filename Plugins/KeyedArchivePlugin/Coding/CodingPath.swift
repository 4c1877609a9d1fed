/// The path from the top-level value to a nested one, innermost key first.
///
/// It is created only when needed.
package indirect enum CodingPath: Sendable {
    case top
    case key(any CodingKey, parent: CodingPath)
    case index(Int, parent: CodingPath)

    /// Returns the path to the value with a name.
    package static func named(_ name: String, parent: Self) -> Self {
        .key(ArchiveKey(stringValue: name), parent: parent)
    }

    var keys: [any CodingKey] {
        var keys: [any CodingKey] = []
        var rest = self
        while true {
            switch rest {
            case .top: return keys.reversed()
            case .key(let key, let parent):
                keys.append(key)
                rest = parent
            case .index(let index, let parent):
                keys.append(ArchiveKey(index: index))
                rest = parent
            }
        }
    }
}

/// A string or integer key.
struct ArchiveKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(index: Int) {
        stringValue = "Index \(index)"
        intValue = index
    }

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init(intValue: Int) {
        stringValue = String(intValue)
        self.intValue = intValue
    }

    static let `super` = Self(stringValue: "super")
}

import Foundation
import Transformable
package import TransformableEntities
package import TransformableStore

protocol Named {
    var name: String { get }
}

enum Weekday: Int, Codable, Sendable {
    case monday = 1
    case tuesday
}

/// An enumeration without raw values, which is stored as JSON.
enum Outcome: Codable, Equatable, Sendable {
    case none
    case cured(days: Int)
}

struct Flags: OptionSet, Sendable {
    let rawValue: Int
    static let urgent = Self(rawValue: 1)
    static let late = Self(rawValue: 2)
}

struct Color: RawRepresentable, Hashable, Sendable {
    let rawValue: String
}

struct Nest: Codable, Equatable, Sendable {
    var eggs: [String: [Int]] = [:]
    var inner: Settings?
}

/// Properties of every shape.
@Entity
final class Shapes: Named, CustomStringConvertible, Identifiable {
    static let start = 7
    static var count: Int { 3 }

    var id: UUID = UUID()
    var name = "shape"
    var flag = true
    var negative = -4
    var ratio = -1.5
    var small: Int16 = 2
    var medium: Int32 = 3
    var wide: Int64 = 4
    var single: Float = 0.5
    var price: Decimal = 0.1
    var made: Date = .now
    var bytes: Data = Data([1, 2])
    var page: URL?
    var token: Optional<UUID>
    var weekday: Weekday = .tuesday
    var day: Weekday?
    var outcome: Outcome = .cured(days: 3)
    var maybe: Outcome?
    var flags: Flags = [.urgent]
    var color: Color = Color(rawValue: "red")
    var tint: Color?
    var nest: Nest = Nest()
    var other: Nest?
    var list: [Int] = { [1, 2] }()
    var words: [String]?
    var table: [String: [Int]] = ["a": [1]]
    var set: Set<Int> = [3]
    var fromType: Int = Shapes.start
    var owner: PersistentID<Patient>?
    /// Names that the managed object also uses.
    var context = "c"
    var isDeleted = false
    var `class` = "k"
    private var secret = 41
    private(set) var sealed = "s"
    #if os(Linux)
    static let system = "Linux"
    var isHere: Bool { true }
    @Transient var here = 0
    #endif
    @Transient var watched = 0 {
        didSet { changes += 1 }
    }
    @Transient var changes = 0
    @Transient lazy var slow = name.count
    @Transient weak var friend: Patient?
    @Transient var action: (() -> Void)?
    @Transient let constant = 5

    var description: String { "\(name) \(secret)" }

    func raise() {
        secret += 1
        sealed += "!"
    }

    subscript(_ index: Int) -> Int { list[index] }
}

/// Nested classes are entities with their own names.
enum Clinic {
    @Entity
    final class Bed {
        var width = 1
        @Relationship(inverse: \Clinic.Room.beds) var room: Clinic.Room?
    }

    @Entity("ClinicRoom")
    nonisolated final class Room {
        var floor: Int
        @Relationship var beds: [Bed]

        init(floor: Int) { self.floor = floor }

        convenience init() { self.init(floor: 0) }
    }
}

@Entity
package final class Parcel {
    package var label: String
    package private(set) var weight = 1.0
    fileprivate var mark: String?

    package init(label: String) {
        self.label = label
        mark = "m"
    }
}

extension Parcel {
    var markForTests: String? { mark }
}

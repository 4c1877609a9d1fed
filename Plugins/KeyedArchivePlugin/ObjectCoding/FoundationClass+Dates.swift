internal import Foundation
internal import Transformable

extension FoundationClass {
    /// Time zones, locales, calendars and what is made of them.
    static var dates: [Self] { [] }
}

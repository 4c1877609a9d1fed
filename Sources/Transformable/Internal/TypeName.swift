/// Returns the name of a type as used in programs: for C structs, the name of Foundation's type alias.
package func typeName(_ type: Any.Type) -> String {
    "\(type)".replacing("_NSRange", with: "NSRange")
}

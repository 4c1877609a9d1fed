/// A type's name as programs write it: Foundation's alias for a struct of C, not the struct.
package func typeName(_ type: Any.Type) -> String {
    "\(type)".replacing("_NSRange", with: "NSRange")
}

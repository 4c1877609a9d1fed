/// The orientation of the stored pixels relative to the image as it is viewed.
///
/// Raw values are those of EXIF, tag 0x0112 (CIPA DC-008).
public enum ImageOrientation: Int, CaseIterable, Sendable {
    /// As stored.
    case up = 1
    /// Mirrored horizontally.
    case upMirrored = 2
    /// Rotated by 180 degrees.
    case down = 3
    /// Mirrored vertically.
    case downMirrored = 4
    /// To be mirrored horizontally, and then rotated by 270 degrees clockwise.
    case leftMirrored = 5
    /// To be rotated by 90 degrees clockwise.
    case right = 6
    /// To be mirrored horizontally, and then rotated by 90 degrees clockwise.
    case rightMirrored = 7
    /// To be rotated by 270 degrees clockwise.
    case left = 8

    /// Whether width and height are exchanged for viewing.
    public var swapsSides: Bool { rawValue >= 5 }
}

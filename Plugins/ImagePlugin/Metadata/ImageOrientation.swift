/// Where the first row and the first column of the stored pixels belong when the picture is viewed.
///
/// Raw values are EXIF's, tag 0x0112 (CIPA DC-008).
public enum ImageOrientation: Int, CaseIterable, Sendable {
    /// As stored.
    case up = 1
    /// Mirrored left to right.
    case upMirrored = 2
    /// Turned by 180 degrees.
    case down = 3
    /// Mirrored top to bottom.
    case downMirrored = 4
    /// Mirrored left to right, then turned by 270 degrees clockwise: rows become columns.
    case leftMirrored = 5
    /// To be turned by 90 degrees clockwise.
    case right = 6
    /// Mirrored left to right, then turned by 90 degrees clockwise.
    case rightMirrored = 7
    /// To be turned by 270 degrees clockwise.
    case left = 8

    /// Whether width and height change places when the picture is viewed.
    public var swapsSides: Bool { rawValue >= 5 }
}

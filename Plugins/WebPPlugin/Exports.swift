// Whoever reads and writes images also names them, their layout, and their metadata.
@_exported public import TransformableImages

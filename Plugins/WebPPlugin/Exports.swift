// Code that reads and writes images also refers to their type, layout, and metadata.
@_exported public import TransformableImages

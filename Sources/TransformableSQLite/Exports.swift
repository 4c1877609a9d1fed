// Code that opens files also works with stores. Importing this module is enough.
@_exported public import TransformableStore

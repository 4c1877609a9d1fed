// Stores are read by their model. Importing this module is enough.
@_exported public import TransformableCoreDataModel

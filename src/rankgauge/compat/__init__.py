"""Drop-ins: the interfaces of other evaluation packages, computed by this one; change an import and keep the code."""

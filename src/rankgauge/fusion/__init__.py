"""`fuse`: several rankings of the same queries become one."""

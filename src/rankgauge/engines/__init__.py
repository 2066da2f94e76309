"""Evaluation of data held by a device, a database or a cluster; every engine runs the kernels of ``rg.evaluate``."""

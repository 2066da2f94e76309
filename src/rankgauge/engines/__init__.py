"""The same kernels on data that a database, a cluster or a device holds: engines bring rows together, they compute no metric."""

"""The same kernels on data that a database holds: engines bring rows together, they never compute a metric."""

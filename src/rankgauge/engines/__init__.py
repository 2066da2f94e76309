"""The same kernels on data that a database, a cluster or a device holds; engines never compute a metric."""

"""Arrays of torch, JAX and CuPy, evaluated on their device."""

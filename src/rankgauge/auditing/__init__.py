"""Audits: which definition a foreign metric computes, and which laws it breaks, with the smallest counterexamples."""

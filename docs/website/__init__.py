"""The documentation site: ``make site`` builds it from docs/*.md and the library, in English and Chinese."""

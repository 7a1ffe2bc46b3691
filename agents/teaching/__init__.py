"""The domain, pure: what is taught, in which parts, how a lesson reads, and what is asked about it."""

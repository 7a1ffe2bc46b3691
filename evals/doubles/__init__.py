"""Services that the real clients talk to on loopback: right in form, and failing as told."""

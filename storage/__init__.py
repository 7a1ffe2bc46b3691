"""The learner's record: tables, migrations and repositories on SQLite or PostgreSQL."""

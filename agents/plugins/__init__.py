"""What happens around every turn: serialisation, records, the history window and safety."""

"""The parts of the `tutor` command, by what they are about."""

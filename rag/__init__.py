"""Reading a course: load, chunk, embed, index, retrieve, cite."""

"""The author's own questions: one reader a form, one file each."""

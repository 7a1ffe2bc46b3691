"""The tutor: explains from the course's own passages, with citations, at the learner's level."""

"""The quiz: items written from passages, checked, asked one at a time, and graded."""

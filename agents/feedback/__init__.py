"""What a quiz showed: mastery, error patterns, reviews, and the words for them."""

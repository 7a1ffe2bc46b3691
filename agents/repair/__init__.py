"""What a large model says over the course's passages: checked sentence by sentence, mended, never silently replaced."""

"""Questions about what a lesson showed: one file a kind."""

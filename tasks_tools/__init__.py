"""The learner's to-dos: an MCP server with five tools, and task reference resolution."""

"""The learner's to-dos, reached only through the MCP tools."""

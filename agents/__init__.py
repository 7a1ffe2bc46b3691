"""The ADK app of Mastery Loop."""

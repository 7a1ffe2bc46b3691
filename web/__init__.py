"""The learner's and the teacher's pages: FastAPI around ADK's own Runner."""

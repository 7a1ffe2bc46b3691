FROM python:3.11-slim
WORKDIR /app
COPY requirements.lock pyproject.toml README.md LICENSE adk.yaml ./
RUN pip install --no-cache-dir -r requirements.lock
COPY agents agents
COPY web web
COPY storage storage
COPY rag rag
COPY tasks_tools tasks_tools
COPY evals evals
COPY deploy deploy
RUN pip install --no-cache-dir --no-deps . && useradd --create-home tutor && install -d -o tutor /data
USER tutor
ENV TUTOR_DATA_DIR=/data
VOLUME /data
EXPOSE 8000
HEALTHCHECK --start-period=60s CMD ["deploy/healthy.sh"]
CMD ["deploy/serve.sh"]

"""What compose.yaml would do, done here: its scripts, one after the other, over a real PostgreSQL server."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
import yaml

from evals.server import environment, free_port
from evals.servers import new_database

ROOT = Path(__file__).parents[2]
SCRIPT = re.compile(r"deploy/[\w.]+\.sh")


class Container:
    """A machine of the deployment, as far as its scripts can tell."""

    def __init__(self, home: Path, database_url: str, **variables: str) -> None:
        home.mkdir()
        here = {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
        self.variables = environment(home) | here | {"TUTOR_DATABASE_URL": database_url} | variables
        self.home = home

    def run(self, *command: str) -> str:
        done = subprocess.run(
            command,
            check=False,
            cwd=ROOT,
            env=self.variables,
            capture_output=True,
            text=True,
            timeout=180,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    @contextmanager
    def serving(self) -> Iterator["subprocess.Popen[bytes]"]:
        with (self.home / "log").open("w") as log:
            process = subprocess.Popen(
                ["deploy/serve.sh"], cwd=ROOT, env=self.variables, stdout=log, stderr=log
            )
            try:
                yield process
            finally:
                process.send_signal(signal.SIGTERM)
                assert process.wait(120) == 0, "a stop is no failure"


def healthy(machine: Container) -> None:
    for _ in range(300):
        done = subprocess.run(
            ["deploy/healthy.sh"], check=False, cwd=ROOT, env=machine.variables, capture_output=True
        )
        if done.returncode == 0:
            return
    pytest.fail((machine.home / "log").read_text())


async def test_the_steps_of_a_deployment_prepare_serve_back_up_and_restore(
    postgres_server: str, tmp_path: Path
) -> None:
    port = str(free_port())
    url = await new_database(postgres_server, "deployed")
    machine = Container(tmp_path / "one", url, PORT=port, HOST="127.0.0.1", WORKERS="2")
    assert "physical-ai" in machine.run("deploy/prepare.sh")
    token = machine.run("tutor", "token", "add", "--user", "ada").strip()
    with machine.serving():
        healthy(machine)
        async with httpx.AsyncClient(timeout=60, headers={"Authorization": f"Bearer {token}"}) as client:
            said = {"message": "teach me ROS 2 topics"}
            told = await client.post(f"http://127.0.0.1:{port}/api/turn", json=said)
        assert "event: view" in told.text
    machine.run("deploy/backup.sh", str(tmp_path / "all.gz"))

    other = await new_database(postgres_server, "restored")
    second = Container(tmp_path / "two", other)
    assert "conversations" in second.run("deploy/restore.sh", str(tmp_path / "all.gz"))
    assert second.run("tutor", "courses", "--json") == machine.run("tutor", "courses", "--json")
    assert second.run("tutor", "progress", "--user", "ada") == machine.run(
        "tutor", "progress", "--user", "ada"
    )


def test_compose_names_only_what_is_there() -> None:
    compose = yaml.safe_load((ROOT / "compose.yaml").read_text())
    image = (ROOT / "Dockerfile").read_text()
    services = compose["services"]
    assert {"app1", "app2", "db", "index", "proxy", "prepare"} == set(services)
    named = {*SCRIPT.findall(str(compose)), *SCRIPT.findall(image)}
    assert named
    for script in named:
        assert os.access(ROOT / script, os.X_OK), script
    for line in re.findall(r"^COPY (.+) \S+$", image, re.MULTILINE):
        assert [name for name in line.split() if not (ROOT / name).exists()] == []
    for name in re.findall(r"server (\w+):8000", (ROOT / "deploy" / "nginx.conf").read_text()):
        assert name in services
    mounted = [each.split(":")[0] for each in services["proxy"]["volumes"]]
    assert all((ROOT / each).exists() for each in mounted)
    assert not re.search(
        r"password\s*[:=]\s*\w", str(compose).replace("${POSTGRES_PASSWORD:?}", ""), re.IGNORECASE
    )

"""Whether the right agent served a turn."""

from evals.metrics.scoring import Turn, metric

_SPEAKERS = {
    "learning_loop": {"tutor", "quiz", "feedback"},
    "coordinator": {"coordinator"},
    "diagnostic": {"diagnostic"},
    "pathplanner": {"pathplanner"},
    "task_manager": {"task_manager"},
}


def judge(turn: Turn) -> list[str]:
    wanted = turn.expects("ROUTE")
    problems = []
    if wanted and turn.heard.route != wanted:
        problems.append(f"went to {turn.heard.route}, not to {wanted}")
    strangers = set(turn.heard.speakers) - _SPEAKERS.get(turn.heard.route, set())
    if strangers:
        problems.append(f"{', '.join(sorted(strangers))} spoke on the way to {turn.heard.route}")
    speakers = turn.expects("SPEAKERS")
    if speakers and ", ".join(turn.heard.speakers) != speakers:
        problems.append(f"{', '.join(turn.heard.speakers)} spoke, not {speakers}")
    return problems


route_right = metric(judge)

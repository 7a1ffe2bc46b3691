"""Words that speak for an action when no phrase settles it: each gives its points, and the sum decides.

`a_b` is words in a row, `a*` any word that begins so, and SELF is there when the learner speaks of themselves.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from agents.coordinator.language.wording import word_set

Tables = Mapping[str, Mapping[float, str]]

ENOUGH = 3.0
ENOUGH_TO_SAY = 2.5  # in what is no question

_SELF = word_set("i me my us we our myself mine")
_MONTHS = "january february march april june july august september october november december summer winter christmas"
_STUDY = "learn study focus tackle read practise review start begin take cover work approach concentrate"


def _each(starts: str, verbs: str) -> str:
    return " ".join(f"{start}_{verb}" for start in starts.split() for verb in verbs.split())


IDLE: Tables = {
    "teach": {
        3: "teach teaches crash_course up_to_speed introduction_to intro_to tutor_me learn_me teach_me lesson_on "
        "lesson_about tutorial_on get_to_grips",
        2: "learn learning study studying lesson lessons tutorial teaching understand grasp taught coach educate train "
        "training instruct delve explore dig_into dive_into get_into look_at go_through go_over get_started get_to_know "
        "understood module_on chapter_on unit_on go_with make_sense_of find_out_about read_up hear_about head_around hang_of ropes guide_me refresher primer catch_up "
        "beginner newbie from_zero zero_background no_background tutored",
        1: "want_to wanted_to like_to let_us how_about_we interested curious keen about basics explain deepen i_need "
        "start begin cover explanation_of overview_of module chapter",
        0.4: "want love",
        0.5: "SELF please",
        -2: "history robot robots summarise summarize faster",
    },
    "quiz_me": {
        3: "quiz quizzed quizzes quizzing test_me flashcards challenge_me examine_me exam_me questions_about questions_on "
        "examination test_myself be_tested tested_on question_me practise_test grill_me",
        2: "exercises drill ask_me mock practise problems trivia",
        1.5: "questions challenge",
        1: "test exam prepare generate at_me",
        0.5: "SELF question give some few",
        -2: "score scored result results",
    },
    "diagnose": {
        3: "gap gaps weak weaker weakest weakness weaknesses assess* evaluat* diagnos* placement pretest pre_test "
        "what_it_takes where_i_stand blind_spots weak_spots my_level test_my readiness proficien* baseline strengths",
        2.5: "ready_for lacking what_i_know what_i_already_know what_i_not_know have_forgotten how_ready have_the_basics",
        2: "level missing am_i_ready struggling struggle rusty shaky my_prerequisites i_am_missing not_i survive is_my "
        "my_understanding my_knowledge good_enough how_good how_well brush_up work_on got_the_prerequisites know_enough",
        1.5: "check_my would_i ready prerequisites forgotten i_know i_understand not_understand how_much prepared "
        "qualified skills cope improve what_is_left check_what check_of i_remember",
        1: "enough remember am_i do_i whether_i already understand parts left thin figure_out well_enough have_i",
        0.5: "SELF know see find which if_i check",
        -2: "robot robots how_do_i how_do_you air",
    },
    "plan": {
        3: "roadmap road_map curriculum study_plan learning_plan learning_path study_path next_steps next_step what_now "
        "next_topic my_studies next_lesson next_chapter next_module steps_to_learn if_you_were_me what_else_should topic_first chapter_first module_first",
        2.5: "recommend recommends recommended recommendation suggest suggestion suggestions advise advice",
        2.2: _each("should_i i_should i_could what_to where_to we_should", _STUDY),
        2: "need_direction a_plan my_plan should_i_do should_i_go syllabus from_here best_for_me proceed right_order what_next "
        "what_follows map_out path do_i_learn do_i_study guidance in_which_order in_what_order",
        1.5: "plan next order sequence focus after what_to where_to smartest afterwards comes_after get_good you_start "
        "priorit* list_of_what",
        1: "steps should useful decide modules study learn first for_me this_week step come comes before spend best",
        0.5: "SELF module chapter topic topics lesson thing something what which begin start tell_me or now",
        -1.5: "use i_use node nodes code robot robots how_do_i_plan why writing faster format file",
        -3: "movie film restaurant song hotel plan_a_path plan_a_trajectory plan_service reason step_by_step please_begin",
    },
    "goal": {
        3: "my_goal my_dream become career careers internship hired phd my_aim my_objective aiming my_ambition",
        2.5: "in_the_long_run goal dream job interview be_able_to certified certification ambition aspire employed "
        + _each("by in", _MONTHS),
        2: "work_in work_as work_at someday one_day eventually long_term degree aim objective i_pass to_pass",
        1: "hoping hope build my_own pass exam finals engineer scientist researcher to_be_a because_i_want be_ready",
        0.5: "SELF want need",
        -3: "teach_me quiz_me",
    },
    "tasks": {
        3: "todo todos reminder reminders agenda errand errands jot my_list my_tasks task_list to_do_list my_reminders "
        "my_task first_task remind_me nudge_me ping_me note_to_self things_to_do wanted_to_remember wanted_to_recall "
        "not_want_to_forget my_chores",
        2.5: "task tasks remind supposed_to_do",
        2: "shopping_list calendar appointment get_done keep_track need_to_do have_to_do had_to_do the_list write_down "
        "put_down note_down cross_off tick_off check_off",
        3.5: "overdue",
        1.5: "due deadline to_do schedule tick remember homework hand_in submit rent",
        1: "list add delete remove done mark_it mark_my mark_the complete completed finished tomorrow forget track buy "
        "call email item put one_is that_one the_first the_second the_last i_must have_to need_to by_end_of on_the",
        0.5: "SELF show tonight note",
        -2: "node nodes executor robot robots queue server ros action actions gpu learn bill",
    },
    "progress": {
        3: "my_progress my_score my_scores my_results my_stats my_mastery how_am_i my_grades report_card my_grade stats "
        "i_improved i_mastered have_i_mastered my_marks learning_history",
        2: "progress score scored mastery mastered percent percentage improved improving have_i did_i",
        1: "results grade history far passed cycles learned so_far better report quiz last improve done",
        0.5: "SELF how many show",
        -2: "not_agree prerequisites",
    },
    "courses": {
        3: "table_of_contents what_courses which_courses your_courses list_of_topics",
        2: "courses this_course what_can_i_learn course_cover topics_available",
        1: "topics subjects available offer offered cover contents modules chapters",
        0.5: "what which show list",
    },
    "why": {
        2: "evidence proof mark_me how_do_you you_think why_did_you",
        1: "why wrong score SELF sure you_know",
    },
    "help": {
        2: "you_help how_do_i_use should_i_type i_type",
        1: "help how_can_you this_thing the_deal what commands",
    },
    "disagree": {3: "not_agree unfair", 1: "grade grading marked wrong"},
}

PENDING: Tables = {
    "tasks": {
        3: "remind_me my_list my_tasks my_todo my_todos my_agenda shopping_list my_reminders my_to_do_list",
        1.5: "reminder reminders todo todos",
        1: "add put set note show delete my tomorrow tonight",
        -2: "what_a what_an what_the",
    },
    "disagree": {
        3.5: "makes_no_sense make_no_sense",
        3: "check_my_answer unfair not_fair disagree not_agree regrade grading",
        2: "graded marked you_are_wrong i_was_right you_made_a should_count be_accepted answer_should i_answered",
        1: "mistake wrong fair nonsense accepted count i_said right correctly my_answer was_right was_correct",
    },
    "hint": {
        3: "hint a_clue stuck nudge need_help any_hints not_figure not_solve",
        2: "help_me some_help too_hard give_me_the_answer i_am_lost",
        1.5: "help easier hints clue",
        1: "please need_some me use get i",
    },
    "skip": {
        3: "skip_this skip_it to_skip next_question another_question different_question not_want_to_answer change_the_question",
        1: "skip can_we i this me",
    },
    "stop": {
        3: "bye goodbye for_today call_it_a_day i_quit i_am_done no_more_questions had_enough stop_here stop_now "
        "stop_asking let_me_out",
        2: "i_want_to_stop stop_the_quiz end_the_quiz finish_here let_us_stop i_have_to_go",
        1: "stop quit finish end i tired",
    },
    "pause": {
        3: "just_a_minute one_minute one_moment just_a_second need_a_break take_a_break be_back back_soon back_in "
        "at_the_door phone_is_ringing time_out timeout take_a_call",
        2: "minutes",
        1.5: "a_minute a_moment a_second wait_a",
        1: "i give_me",
    },
    "show_question_again": {
        2.5: "question_again the_question",
        1: "repeat again show see lost say missed can_you read forgot",
    },
    "progress": {
        3: "my_progress my_score my_results my_grade how_am_i my_mastery",
        1: "how_many did_i what is show right",
    },
    "quiz_me": {2.5: "different_quiz another_quiz new_quiz quiz_me easier_quiz", 1: "give_me me questions"},
    "teach": {3: "teach_me to_learn_about learn_about", 1: "i want instead first rather"},
    "change_topic": {
        3.5: "not_want_this_topic",
        3: "different_topic another_topic change_the_topic new_topic",
        2: "something_else",
        1: "instead give_me enough can_we let_us",
    },
    "plan": {3: "should_i_learn should_i_study learn_next study_next should_be_learning", 1: "next what i"},
    "diagnose": {3: "my_gaps my_weaknesses my_level weak_spots weak_points", 1: "what where find"},
    "small_talk": {
        3: "is_funny i_am_so i_am_tired i_am_hungry i_am_bored",
        2: "haha lol nice_one",
        1: "funny you one boring dumb stupid annoying",
    },
    "ask": {3.5: "clarification_of", 1: "grateful"},
    # Somebody who says what they want is talking to the tutor.
    "help": {
        3: "i_want i_do_not_want i_hate i_wish i_would_like",
        -3: "want_to_say like_to_say want_it want_the",
    },
    "courses": {3: "what_courses which_courses course_cover the_course", 1: "topics which what"},
}

# A question about the material is what is left: it needs to be outvoted.
_ASKS, _ASKS_WITHOUT_SELF, _ASKS_HOW_TO = 2.0, 1.5, 1.5
_HOW_TO = word_set("how_do_i how_do_you how_can_i how_to how_would_i why_does why_should where_do_i")
_OPENS_ANSWER = word_set("because since it they to so if when a an these yes no")
_JOINS = word_set("when if until because then which while whenever")
_LONGEST = 5  # words in a row that a table names


def count_votes(words: Sequence[str], *, pending: bool) -> dict[str, float]:
    """The points of every action that has some."""
    exact, prefixes = _tables(pending)
    said = _said(words)
    counts: dict[str, float] = {}
    for word in said:
        for action, points in exact.get(word, ()):
            counts[action] = counts.get(action, 0.0) + points
    for prefix, action, points in prefixes:
        if any(word.startswith(prefix) for word in words):
            counts[action] = counts.get(action, 0.0) + points
    return counts


def votes_needed(words: Sequence[str], *, pending: bool, is_question: bool) -> float:
    """What an action must reach to be believed."""
    if pending:  # long texts and 'because …' are answers
        needed = ENOUGH + 0.25 * max(0, len(words) - 8)
        return needed + 2.0 * (words[0] in _OPENS_ANSWER) + 1.5 * (not _JOINS.isdisjoint(words[1:]))
    if not is_question:
        return ENOUGH_TO_SAY
    said = _said(words)
    asking = _ASKS + _ASKS_WITHOUT_SELF * ("SELF" not in said) + _ASKS_HOW_TO * (not _HOW_TO.isdisjoint(said))
    return max(ENOUGH, asking)


def _said(words: Sequence[str]) -> frozenset[str]:
    runs = {
        "_".join(words[start : start + length])
        for length in range(1, _LONGEST + 1)
        for start in range(len(words) - length + 1)
    }
    return frozenset(runs if _SELF.isdisjoint(words) else runs | {"SELF"})


@cache
def _tables(pending: bool) -> tuple[dict[str, list[tuple[str, float]]], list[tuple[str, str, float]]]:
    exact: dict[str, list[tuple[str, float]]] = {}
    prefixes: list[tuple[str, str, float]] = []
    for action, word, points in _entries(PENDING if pending else IDLE):
        if word.endswith("*"):
            prefixes.append((word[:-1], action, points))
        else:
            exact.setdefault(word, []).append((action, points))
    return exact, prefixes


def _entries(tables: Tables) -> Iterable[tuple[str, str, float]]:
    for action, table in tables.items():
        for points, words in table.items():
            for word in words.split():
                yield action, word, points

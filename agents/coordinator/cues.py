"""Words that give a message away when no phrase does: all of a line's words in one sentence, in any order.

`a|b` is either word, `a_b` two words in a row, `!a|b` none of these, and a word in capitals is a group.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

GROUPS = {
    "I": "i me my us we our myself mine",
    "ASKING": "what which who when where why how is are does do can could was did",
    "NUMBER": "two three four five six seven eight ten twenty 2 3 4 5 6 7 8 10 15 20 few couple",
    "WANT": "want need like love wish let ready trying supposed sign start begin keen eager time",
    "LEARNING": "learn study understand teach taught lesson lessons tutorial learning studying class grasp",
    "SHOULD": "should must ought recommend suggest advise recommendation suggestion suggestions advice",
    "DO": "learn study focus do tackle spend read review practise concentrate work start begin go take",
    "QUIZ": "quiz quizzed quizzes quizzing tested examined",
    "QUESTIONS": "questions question problems exercises flashcards test exam",
    "PATH": "path roadmap curriculum syllabus route",
    "PLAN": "plan plans schedule roadmap order sequence",
    "STUDIES": "studies learning study week month weeks days lessons semester",
    "GAPS": "gaps gap weak weakness weaknesses weakest struggling rusty deficits shaky lacking missing blindspots",
    "ASSESS": "check test assess evaluate see find measure determine know figure gauge diagnose verify tell examine",
    "KNOWN": "know known forgotten remember understand understood learned retained",
    "MASTERY": "progress score mastery grade stats percent percentage results mastered passed",
    "DONE": "done finish finished complete completed tick check cross mark close off",
    "TASK": "task tasks reminder reminders todo todos errand errands",
}

IDLE = {
    "why": """
        what_makes|what_made|how_do|why|evidence|proof|reason|basis you|your think|know|believe|say|decide|sure i|my !topic_is
    """,
    "progress": """
        I MASTERY how|what|show|see|tell|display|check|which|far|where|your|give|still|left
        I getting|become|gotten better|worse
        my learning|study|quiz history|record|log|journey|report
        my report_card|marks|grades|streak
        how_far|how_close i|we
        I improved|improvement|improve how|show|did|have
        how_many cycles|quizzes|rounds|lessons|topics|concepts have_i|did_i|i_have
        I scored|score quiz|test|last
    """,
    "plan": """
        I SHOULD DO !how_do|how_does|why|if
        SHOULD|smartest|best I|you learn|study|tackle|focus !how_do|why
        what|which next|afterwards|then I|topic|chapter|module|lesson|step
        what|which after comes|come|follow !how|out
        what_now
        roadmap|curriculum|syllabus|study_plan|learning_plan|learning_path|study_path
        you_recommend|you_suggest|you_advise topic|chapter|module|lesson|study|learn|next|course|which|start
        I plan|map|organise|organize|schedule|structure STUDIES
        I PATH learning|study|make|create|build|personal|personalised|personalized !plan_a|how_do|robot|node
        path|roadmap|route|plan from to learn|study|basics|beginner|zero|scratch|lay
        I|best|right|which|what order|sequence DO|topics|chapters|modules
        I until|before|left|day exam|test|deadline|hour how|what|spend|prepare
        first|start or should|which|i
        something|topic|thing for_me|to_learn|to_study pick|choose|find|suggest|tell|best|smartest
    """,
    "goal": """
        i|my aiming|aim|goal|dream|ambition|aspire|objective|goals
        i|hoping|reason|someday become|career|careers|job|hired|certified|certification|phd|degree|employed
        i|hoping|someday|one_day|eventually|long_term|want build|create|make|design someday|one_day|eventually|own|long_term
        i pass|ace|clear exam|exams|final|finals|certification|interview
        i be_able_to
        i|hope work|working|career in|as|at|for want|like|love|hope|dream|would
    """,
    "diagnose": """
        I GAPS where|what|which|find|show|my|tell|check|am|see|identify|spot !learn_more|bus|robot
        I level what|my|which|check|find|tell|no_idea|assess|figure
        I ASSESS KNOWN how_much|what|whether|if|already|how_well !you_know
        how_much|how_well|how_good i know|understand|remember|am|left
        how_much left|retained|remains see|check|test|find
        I ASSESS prerequisites|basics|foundations|readiness|ready
        I diagnostic|assessment|pretest|placement|pre_test|diagnosis !aggregator
        pre_test|placement_test|skills_test|diagnostic_test|level_test|assessment run|start|give|take|do|please
        am_i|if_i|whether_i|do_i|is_my|are_my|would_i|will_i ready|prepared|enough|qualified|survive|cope|manage|handle
        I brush_up|catch_up|refresh before|what|which
        ASSESS my skills|knowledge|level|understanding|abilities
        i_need|i_should|i_must work_on|improve what|which|where
        my knowledge|understanding thin|shaky|weak|poor|good|solid|limited|patchy
    """,
    "tasks": """
        TASK !how|why|what_is|what_are|difference|node|nodes|action|executor|robot|queue|server|ros|teach|quiz
        I need_to_do|have_to_do|had_to_do|must_do|got_to_do|left_to_do|things_to_do|supposed_to_do what|show|list|everything|tell|which
        I due|overdue|deadline|deadlines what|anything|when|show|which|is|remember|track
        I|down jot|note_down|write_down|remember_to|forget_to|keep_track !how|why
        to_do|todo list|lists
        my_list|my_agenda|my_calendar|my_reminders
        add|put|delete|remove|DONE|scratch list|item I|item !node|nodes
        remind_me|nudge_me|ping_me|alert_me|notify_me !what|how|why
    """,
    "quiz_me": """
        I QUIZ !what_is|how_do|how_does|score|scored
        I|at QUESTIONS give|ask|throw|hit|fire|generate|pose|pick|prepare|shoot|practise|take|solve|try|do !how_do
        generate|create|make|write QUESTIONS about|on|for|from
        quiz_on|quiz_about|test_on|questions_on|questions_about
        practise QUESTIONS|test|quiz
        quiz|quizzed|quizzes|quizzing|flashcards|exam !ASKING|pass|ace|tomorrow|next_week|score|my_exam
        myself|me test|quiz|challenge|drill|examine
        NUMBER QUESTIONS
    """,
    "courses": """
        courses|topics|subjects|modules|chapters available|offered|exist|have|got|covered|list what|which|show|list|all|is_there
        what_can_i|what_else_can_i learn|study
    """,
    "teach": """
        I WANT LEARNING
        teach|tutor|lesson|lessons|tutorial|teaching|beginners !ASKING
        I LEARNING about|on|for
        lesson|tutorial|course|class|introduction|intro|chapter on|about|to I|start|begin|give|please|open
        today's_topic|my_topic|topic_today
        I hang_of|head_around|grip_on|up_to_speed|ropes_of|get_it
        I|zero|no|love|need background|beginner|start|beginning|newbie in|with|on|to
        I interested|curious|keen|fascinated in|about|on
    """,
    "help": """
        you help|capable I|what|how what|how
        how this|you work|use|works|begin tutor|app|tool|bot|this|thing !node|code
        how_do|what_is i_begin|we_begin|we_start|the_deal|i_start
    """,
    "small_talk": """
        your favourite|favorite|hobby|family|age|birthday|dog|cat
        i feeling|feel tired|bored|nervous|sad|happy|sick|down|great|lonely|ill
        my dog|cat|mum|mom|boss|kid|kids|wife|husband !learn|teach
    """,
}

PENDING = {
    "tasks": """
        my_list|my_agenda|my_calendar|my_reminders|my_tasks|my_todo|my_to_do add|put|what|show|note|delete|remove|see|have
        remind_me to|about|at|tomorrow|tonight|on|in !what|how|why
    """,
    "disagree": """
        I|you|that|the|your grading|graded|regrade|marking unfair|wrong|agree|disagree|broken|wrongly|incorrectly|off
        i do_not_agree|disagree|not_agree
        that|it|mine|answer should count
        i|my right|correct marked|graded|counted|last|previous|said|meant !because
    """,
    "hint": """
        I|some help|hint|clue|hints|nudge use|need|give|want|get|have|please|could !robot|it_will
    """,
    "skip": """
        I skip|pass question|one|this|it
    """,
    "stop": """
        i|we|us stop|quit|finish|end|leave|enough|done today|here|tonight|quiz|session|evening|tired|anymore
    """,
    "pause": """
        i|we back in|soon|minutes|minute|later|after
        i|we break|minute|moment take|need|have|want|give !robot
        at_the_door|on_the_phone|phone_is_ringing|doorbell
    """,
    "quiz_me": """
        give|ask|another|different me|us quiz|questions
    """,
    "progress": """
        my progress|score|mastery|grade|result|results what|how|show|see|tell
    """,
    "plan": """
        what i|next learn|study|topic|learning|studying next|after|should !it|robot
    """,
    "diagnose": """
        my gaps|weaknesses|weak|level what|where|find|show|test|check
    """,
    "teach": """
        i|we|me learn|teach|study want|like|rather|about|instead|lesson !because|it|robot|it_can
    """,
    "courses": """
        courses what|which|show|list
    """,
}

_MOST_WORDS = 3  # the longest run that a cue may name


@dataclass(frozen=True, slots=True)
class Cue:
    """One line: what must be there and what must not."""

    action: str
    line: str
    needed: tuple[frozenset[str], ...]
    barred: frozenset[str]

    @classmethod
    def parse(cls, line: str, *, action: str) -> "Cue":
        pieces = line.split()
        barred = [piece[1:] for piece in pieces if piece.startswith("!")]
        needed = [piece for piece in pieces if not piece.startswith("!")]
        return cls(action, line, tuple(map(_words, needed)), frozenset().union(*map(_words, barred)))

    def fits(self, said: frozenset[str]) -> bool:
        return not self.barred & said and all(said & group for group in self.needed)


def find_cues(words: Sequence[str], *, pending: bool) -> Iterator[Cue]:
    """The cues that a sentence gives."""
    said = frozenset(
        "_".join(words[start : start + length])
        for length in range(1, _MOST_WORDS + 1)
        for start in range(len(words) - length + 1)
    )
    return (cue for cue in _cues(pending) if cue.fits(said))


@cache
def _cues(pending: bool) -> tuple[Cue, ...]:
    return tuple(
        Cue.parse(line, action=action)
        for action, lines in (PENDING if pending else IDLE).items()
        for line in filter(None, map(str.strip, lines.splitlines()))
    )


def _words(piece: str) -> frozenset[str]:
    words: set[str] = set()
    for name in piece.split("|"):
        words.update(GROUPS[name].split() if name in GROUPS else [name])
    return frozenset(words)

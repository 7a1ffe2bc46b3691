"""What learners say to be assessed, guided, or told how they are doing. The language is that of patterns.py."""

ANYTIME = {
    "diagnose": """
        diagnose ME
        diagnose ME ABOUT {topic}
        diagnose my SKILL|GAPS
        diagnose my SKILL|GAPS ABOUT {topic}
        [START|give] [ME] [quick|short|initial|my] DIAGNOSTIC [test|quiz]
        [START|give] [ME] [quick|short|initial|my] DIAGNOSTIC [test|quiz] ABOUT {topic}
        assess|evaluate|check|examine ME
        assess|evaluate|examine ME ABOUT {topic}
        examine ME ABOUT prerequisites ABOUT {topic}
        ASSESS [out] [ME] my [current|own] SKILL
        ASSESS [out] [ME] my [current|own] SKILL ABOUT {topic}
        ASSESS [out] what i [do] [not] KNOW
        ASSESS [out] what i [do] [not] KNOW ABOUT {topic}
        ASSESS [out] how much|well|good i KNOW|am [ABOUT|at] {topic}
        ASSESS [out] if|whether i am ready [for] {topic}
        ASSESS [out] if|whether i KNOW {topic}
        ASSESS [out] [ME] where i stand
        ASSESS [out] [ME] where i stand ABOUT {topic}
        SHOW [ME] my [knowledge] GAPS
        SHOW [ME] my [knowledge] GAPS ABOUT {topic}
        SHOW [ME] my weak|blind SPOTS
        SHOW [ME] my weak|blind SPOTS ABOUT {topic}
        where|what are|is my [biggest|main|knowledge] GAPS
        where|what are|is my [biggest|main|knowledge] GAPS ABOUT {topic}
        where|what are|is my weak|blind|weakest SPOTS
        where|what are|is my weak|blind|weakest SPOTS ABOUT {topic}
        my GAPS
        my weak SPOTS
        which|what GAPS do i have [*]
        do i have [knowledge] GAPS [*]
        where|what am i weak|weakest|bad|lacking|struggling [at|with|in|on]
        teach|tell|show|explain [ME] [only|just] what|whatever|everything [that] i [still] do not [yet] KNOW
        teach|tell|show|explain [ME] [only|just] what|whatever|everything [that] i [still] do not [yet] KNOW ABOUT {topic}
        teach|tell|show [ME] what i am missing
        what am i missing
        what am i missing ABOUT {topic}
        what i am missing
        what do i not KNOW
        what do i not KNOW ABOUT {topic}
        what do not i KNOW
        what do not i KNOW ABOUT {topic}
        what do i need to work|improve [on]
        which|what prerequisites|basics|foundations am|do i missing|lack|miss ABOUT {topic}
        am i ready for|to {topic}
        am i ready for|to start|begin|learn|tackle|try [with] {topic}
        i am ready for {topic} or not
        can i handle|tackle|start|manage|do {topic}
        do i know enough [ABOUT|to] [start|begin|tackle|do] [with] {topic}
        [do] you think i know enough [ABOUT|to] [start|begin|tackle|do] [with] {topic}
        [do] you think i am ready for|to {topic}
        do i KNOW {topic} well enough
        do i KNOW {topic}
        how good|strong|weak am i at|in|with {topic}
        how well|much do i KNOW ABOUT {topic}
        how well|much do i KNOW {topic}
        what is my [current] level
        what is my [current] level ABOUT {topic}
        what level am i [at|on|in]
        am i beginner|intermediate|advanced|expert [*]
        skill|level|knowledge|readiness check|test [*]
        placement|diagnostic test|quiz|assessment [*]
        figure|work out what i do not KNOW
        figure|work out where i stand
    """,
    "plan": """
        what|which [TOPIC] SHOULD i [be|to] LEARN [next|first|afterwards]
        what|which [TOPIC] SHOULD i [be|to] LEARN [next] after|before|from|to *
        what|which [TOPIC] next
        what|which [TOPIC] can|do|would i LEARN next|first|afterwards|after [*]
        what i SHOULD [be|to] LEARN|focus [on] [next|after|first] [*]
        after * what|which [TOPIC] i SHOULD LEARN
        what [do] you think i SHOULD LEARN [next|after|first] [*]
        what to LEARN next|first|afterwards|after [*]
        i do not know what|where to LEARN|start|begin [next|first|with]
        where SHOULD|do i start|begin|continue|go [next|from|with]
        where to start|begin [with]
        what is|comes next [for|on] [me|my] [path|plan|list]
        what is|are [my] next steps|step|TOPIC [for] [me] [to] [LEARN]
        what do|would you recommend|suggest|advise [*]
        what is [my] [best|fastest|shortest|quickest|right|learning|study] PATH to|for {topic}
        what is [my] [best|fastest|shortest|quickest|right|learning|study] PATH from here|me to|for {topic}
        what is [best|fastest|shortest|quickest|right] way to learn|study|get|reach|master [to|into] {topic}
        what is my [learning|study] PATH
        in what|which order [*]
        [what|which] order should i LEARN [*]
        plan my|our [learning|study] [path|week|studies|learning|route|day|month|time|journey|course] [*]
        plan for me
        MAKE [up|out] [ME] [up|out] [my|new|good] [personal|learning|study|personalised|personalized] PATH [of] [study]
        MAKE [up|out] [ME] [up|out] [my|new|good] [learning|study] PATH [of] [study] to|for|towards|about {topic}
        MAKE [up|out] [ME] [up|out] [my|new|good] [learning|study] PATH [of] [study] that leads to {topic}
        my [learning|study] PATH
        learning|study PATH
        learning|study PATH to|for|towards {topic}
        path|roadmap|route to|towards {topic}
        recommend|suggest [ME] [something|anything|what|next] [TOPIC] [to|for|next] [LEARN|me] [next]
        [your] recommendation as to what *
        your recommendation [for] [me]
        sequence|order|arrange [my|these|those] * TOPIC [for] [me]
        how do|can|should|would i get from * to {topic}
        how do|can|should i get to {topic} from *
        how do|should i prepare [myself] for {topic}
        how should i continue|proceed|go [on]
        what are prerequisites|requirements|foundations ABOUT {topic}
        prerequisites|prereqs ABOUT|to {topic}
        what do|should|must i [need] [to] LEARN|know|have before {topic}
        what do i need [to] [LEARN|know|have] before|for {topic}
        what SHOULD come|comes before {topic}
        guide me to|towards {topic}
        what is [my] next logical|best|sensible|right|good step|topic|thing [*]
        what follows
        how do|should i proceed|continue|go|move [on] from [here]
        [lay|map|chart] [out] path|route|roadmap from * to {topic}
        pick|choose|find|select something|topic for me [to] [learn|study]
        which [one|topic|chapter|module] first [*]
        [should] [i] [do|learn|study|take|start] [with] * or * first
        tell me [best|smartest|next] thing to LEARN [next]
        plan ME|my [my] [learning] PATH [*]
        update|change|revise|adjust my [learning|study] PATH [*]
    """,
    "goal": """
        my [main|big|own|personal|real|final|learning|long] [term] GOAL is|are|was [*]
        my [main|big|own|personal|real|final|learning|long] [term] GOAL *
        set|add my|new|another|learning [learning] goal|goals [*]
        new goal|goals [*]
        set goal|goals to|of|for [*]
        i have goal|goals [*]
        i am preparing|studying|training for|to *
        become|be * engineer|developer|researcher|scientist|programmer|expert|specialist|roboticist|analyst [*]
        work as|at *
        pass|ace my|for * exam|test|final|finals|interview|certification
        pass|ace * exam|final|finals|interview|certification [*]
        get|land|find job|degree|certificate|certification [*]
        i have [my] * exam|interview|finals next|on|in|tomorrow|soon|coming [*]
    """,
    "progress": """
        [SHOW] progress [report|bar|chart]
        SHOW [ME] my [learning|quiz|current|own] SCORE [*]
        SHOW [ME] how far i have LEARNED
        what is|are|was my [current|overall|total|quiz|last|stupid] SCORE [far] [*]
        my [current|overall|total|quiz|last|stupid] SCORE [far]
        how is my progress|learning|score [going]
        how am i doing|going|progressing|performing|getting [on|along] [with] [*]
        how did i do [on] [*]
        how well am|have i doing|done [*]
        how far along am|are i|we [with|in] [*]
        how far along i am
        how far have|did|am i [LEARNED|get] [*]
        how far i have LEARNED [*]
        how much|many [TOPIC] have|did i LEARNED [*]
        how much|far|many i have LEARNED [*]
        what|which [of] [TOPIC] have|did i LEARNED|study|master [far] [*]
        what do i know [far]
        what i have LEARNED [far]
        have|did i learn|learned|mastered|completed|finished|passed|improved|pass|master|finish|improve [*]
        am i making|getting progress|better [*]
        am i failing|passing|improving|behind|done|almost|nearly|close [*]
        am i doing ok|well|good|fine|badly
        how close|near am i [to] [*]
        how many|much [more] questions|question|rounds|cycles [are|is|do] [there|i|we|have|left|remain|to] [left|have|go] [left]
        did i get that|it|this|last [one] right|wrong|correct
        how many are left
        how long is|will this|quiz [*]
        status [report|update]
        [summary|overview] of my progress
        [summarise|summarize|report] my progress
        what did i get right|wrong
        what mistakes did i make [*]
        where do i stand
    """,
    "why": """
        why [on] [earth|exactly] do|did|would|are you think|say|believe|claim|assume|saying|mark|grade|give|score *
        why was|is|were that|it|this|my|i [answer|last] [one|answer] [marked|graded|counted|scored|not] [as] wrong|incorrect|right|false|correct|marked
        why is my SCORE|level *
        why am|was|did i get|got|marked|graded|lose|wrong|not [*]
        how do|did|can you know|tell|decide|conclude|determine|measure|calculate|compute [that|what|whether|if] i|my [*]
        where does|did that|this|my SCORE|number come from
        on what grounds|basis|evidence do|did you *
        SHOW|set|present [ME] [out] [your|my] evidence|proof [*]
        your|my|evidence|proof evidence|proof|please
        what is [your] evidence|proof|basis [*]
        which|what [of] [my] answers|answer made|led|lowered|cost|counted [*]
        what made you think|lower|say|decide|believe *
        prove it [*]
        based on what
        says who
    """,
    "courses": """
        SHOW|enumerate ME [all|your] [available|other] COURSES [available|have|there|at|you] [my|are|have] [disposal]
        SHOW|enumerate [all] [your|available] courses|chapters|modules [at] [my] [disposal]
        which|what [other|all|else] COURSES [are|is|do|does|can|this|course] [there|available|you|this|i|course] [course|HAVE|learn|study|choose|available|there]
        which|what [other] COURSES at my disposal
        what [else|all] can i|we|you learn|study|teach [me|with|from] [here|you|this]
        what is this course|book|material about
        what is in this|course|book|material [course]
        what does this|course|book|material [course] cover|contain|include|teach
        COURSES
        table of contents
        what do you teach|cover|offer
    """,
}

IDLE = {
    "courses": """
        SHOW|list|enumerate [all|your] [available] COURSES
    """,
    "goal": """
        build|make|create|design|program|develop|implement [my|own] * robot|drone|arm|car|rover|app|product|company|vehicle [*]
        be able to *
    """,
}

PENDING = {
    "plan": """
        what is|comes next [after] [this|that] [one] [topic|chapter|lesson|module|quiz]
    """,
}

"""What learners say to be taught, quizzed, assessed or guided. The language is that of patterns.py."""

ANYTIME = {
    "teach": """
        teach me|us [more] [about|on|how|what|why|the] {topic}
        teach {topic} to me|us
        teach me|us [please]
        [want|wanna|like] [to] learn [about|more|something|everything|all] [about|on|how] {topic}
        want learn [about] {topic}
        rather learn|study|do [about] {topic}
        start learning|studying [about] {topic}
        start|begin|commence|open|launch|do [with] [a|the|my|our] lesson|instruction|course|class|tutorial|unit [on|about|of|for] [the] [subject] [of] {topic}
        commence|begin instruction|teaching on|in|of [the] [subject|topic] [of] {topic}
        give me|us a|an|the [short|quick|brief|little] rundown|overview|lesson|tutorial|intro|introduction|primer|refresher|recap|class|crash [course] on|of|to|about|in {topic}
        walk|take|guide|lead|talk me|us through {topic}
        introduce|get me|us to|into {topic}
        i know nothing|little [at] [all] about {topic}
        i know nothing|little|almost [nothing] about {topic}
        i am new to {topic}
    """,
    "quiz_me": """
        quiz|drill|examine me|us
        quiz|drill me|us on|about|over|in|with {topic}
        test me
        test me|us on|about|in {topic}
        give [to] me|us a|some|another|the|five|three|ten|one|few|more [short|quick|hard|easy|little|new|practise] quiz|test|exam|questions|question|problems|exercises [about|on|for|over|in|of] {topic}
        give [to] me|us a|some|another|the|five|three|ten|one|few|more [short|quick|hard|easy|little|new|practise] quiz|test|exam|questions|problems|exercises
        give [to] me|us practise|quiz|test questions|problems
        hit me with [some|a|five|three|ten|few] [few] [hard|easy|good] questions|question|quiz [on|about] {topic}
        ask me [some|a|few|something|anything|more|questions|question|hard] [few] [hard|easy|about|on|questions|question] [about|on] {topic}
        ask me [a|some|few] [few] questions|question|something
        start|begin|do|take|play|try|launch|have [a|the|my|another|new] [short|quick] quiz|test
        start|begin|do|take|play|try|launch|have a|the|my|another [short|quick] quiz|test [on|about|for] {topic}
        practise [a|some] [few] [questions|problems|exercises] [on|about|for|with] {topic}
        practise
        do some practise questions|problems
        quiz time
        quiz
        quiz [on|about] {topic}
        [i] [am] ready for [a|the|my] quiz|test
        ready to be quizzed|tested
    """,
    "diagnose": """
        diagnose me|us
        diagnose me|my|us [knowledge|level|understanding|skills] [on|in|of|about] {topic}
        diagnose my gaps|knowledge|level|weaknesses
        [run|start|do|take|give|begin] [me] a|an|the|my [quick|short|initial] diagnostic|assessment|diagnosis|placement|pretest|evaluation [test] [on|for|of|about|in] {topic}
        [run|start|do|take|give|begin|want|need] [me] [a|an|the|my] [quick|short|initial] diagnostic|assessment|diagnosis|placement|pretest [test]
        assess|evaluate me
        assess|evaluate me on|in|about|for {topic}
        assess|evaluate|test|check|gauge|probe|measure|determine|establish|examine|verify my [current] knowledge|level|understanding|skills|skill|grasp|readiness|prerequisites|preparation|background|abilities [*]
        assess|evaluate|test|check|gauge|probe|measure|determine|establish|examine|see|know|find [out] what i [already] [do|still|not] [not] [already] know|understand|remember|miss|lack
        assess|evaluate|test|check|gauge|probe|measure|determine|establish|examine|see|know|find [out] what i [already] [do|still|not] [not] [already] know|understand|remember [of|about|on|in] {topic}
        assess|evaluate|test|check|gauge|measure|determine|establish|see|find [out] how much|well|good i [already] know|understand|am [of|about|on|in|at] {topic}
        assess|evaluate|test|check|gauge|see|find [out] if|whether i am ready [for] {topic}
        assess|evaluate|test|check|gauge|see|find [out] if|whether i [already|really] know|understand {topic}
        examine me on [the] [prerequisites] [of|for] {topic}
        check me
        know|find|determine|see|tell|get|establish [me] my [current] level [in|of|on|for] {topic}
        know|find|determine|see|tell|get|establish [me] my [current] level
        find|show|tell|identify|detect|spot|list|check|search [out] [me] my|the [knowledge] gaps|gap|weaknesses|weakness [*]
        find|show|tell|identify|detect|spot|list|check [out] [me] my|the weak|blind spots|points|areas|sides [*]
        where|what are|is my|the [biggest|main] [knowledge] gaps|gap|weaknesses|weakness|deficits [*]
        where|what are|is my [biggest] weak|blind spots|points|areas|spot|point|area [*]
        which|what gaps|weaknesses do i [still] have [*]
        do i have [any] [knowledge] gaps [*]
        where|what am i weak|weakest|bad|lacking|struggling [*]
        what am i [still] missing [*]
        what do i [still] not [yet] know|understand [yet] [about|of|in] {topic}
        what do i not [yet] know|understand [yet]
        what do i still need to work on
        which|what prerequisites|basics|foundations am|do i missing|lack|miss|need [for|of|to] {topic}
        am i [really|already] ready [for|to] [start|begin|learn|tackle|move] [on|with|to] {topic}
        am i [really|already] ready for|to {topic}
        [do] [you] [think] [that] am|if i [am] ready for|to {topic}
        i am ready for|to [start|learn] {topic} is|am|or
        can i [already] handle|tackle|start|manage {topic} [already]
        do i [already] know enough [about|of|for|to] [start|begin|tackle|do] [with] {topic}
        i [already] know enough for|to [start|begin] [with] {topic}
        do i [already|really] know|understand {topic} [well] enough
        how good|strong|weak am i [at|in|with] {topic}
        how good|strong|weak is my {topic}
        how well|much do i [already|really] know|understand [of|about] {topic}
        what is my [current] level [in|of|at|for] {topic}
        what is my [current] level
        what level am i [at|on|in] [*]
        am i a|an beginner|intermediate|advanced|expert [*]
        skill|level|knowledge|readiness check|test [*]
        placement|diagnostic test|quiz|assessment [*]
        figure|work out what|where i [do|am] [not|still] know|missing|stand|weak [*]
        see|find|tell|show [out] [me] where i stand [*]
        what my gaps are
        what i am missing
    """,
    "plan": """
        what|which topic|chapter|module|lesson|concept [should|must|shall|ought|do|would|could|can] [i] [to] [learn|study|do|take|start|tackle] next|first|now
        what|which [topic|chapter|module|concept] should|must|shall|ought|could|would|can i [be] [to] [best] learn|study|do|learning|studying|read|review|tackle|practise|cover|pick [up] [next|now|first|then|afterwards]
        what|which [topic|chapter|module|concept] should|must|shall|ought|could|would|can i [be] [to] learn|study|do|learning|studying|review|tackle [next|now] after|before|from|to [*]
        what i [should|must] [to] learn|study|do [next|now|then]
        what i [should|must|can|could] [to] learn|study|do|focus [next|now|then|on] [after|before] [*]
        after finish|finishing this|that|the|my chapter|module|topic|course what|which i [must|should] [to] learn|study|do
        what to learn|study|do|review|tackle [next|now|first|then|afterwards|after] [*]
        i do not know what|where to learn|study|start|begin|do [next|first|now] [*]
        where should|do|shall|can|could i start|begin [*]
        where to start|begin [*]
        what|where [is|are|comes|do|would|should] [the|my|i|you] [best|right|next] next [steps|step|topic|thing|lesson|chapter|for] [for] [me]
        what is|are|comes next [for] [me]
        what is|are [the|my] next steps|step|topic|topics|thing|lesson|chapter [for] [me] [to] [learn|study|take]
        what now
        what next
        where do|should|can i go [next|from] [here]
        what do|would you recommend|suggest|advise [*]
        what is [the|my] [best|fastest|shortest|quickest|recommended|right] route|path|way|order|sequence [for|to|from|of] {topic}
        what is my [learning|study] path|plan|roadmap
        [what|which] [is] [in] what|which order should|ought|do|must|shall i [to] study|learn|do|take|read [*]
        in what|which order *
        plan my|our|a|the [*] path|week|studies|study|learning|route|day|month|curriculum|course|journey|time|roadmap [*]
        plan for me
        plan what i should [learn|study] [*]
        make|create|build|draw|give|write|design|prepare|set|show|propose|suggest|recommend|generate|need|develop|sketch|lay [up|out] [me|us] [up|out] a|an|my|the|some [new|good|personal|short|detailed] [personalised|personalized|learning|study|studying|lesson] path|plan|roadmap|schedule|curriculum|route|order|sequence|syllabus [of] [study] [*] to|for|towards|that|about|on [leads] [to] {topic}
        make|create|build|draw|give|write|design|prepare|set|show|propose|suggest|recommend|generate|need|develop|sketch|lay [up|out] [me|us] [up|out] a|an|my|the|some [new|good|personal|short|detailed] [personalised|personalized|learning|study|studying|lesson] path|plan|roadmap|schedule|curriculum|route|order|sequence|syllabus [of] [study] [for] [me]
        my|a|the [learning|study] path|plan|roadmap [please]
        learning|study path|plan|roadmap [for|to|towards] {topic}
        learning|study path|plan|roadmap
        path|roadmap|route to|towards|for {topic}
        recommend|suggest [me] something|anything|what|topics|topic|a|the|some|next [next|topic|topics|chapter|lesson|module] [to|i|for] [learn|study|do|should|next|me] [*]
        your recommendation [as|on|for|about] [to] [what] [*]
        sequence|order|arrange|sort [the|my|these|those] * topics|chapters|modules|lessons [for] [me]
        how do|can|should|would i get from * to {topic}
        how do|can|should i get|work|go [my|up] [way] to {topic} from *
        how do|should i prepare [myself] for {topic}
        how should i continue|proceed|go [on]
        what are the prerequisites|requirements|foundations [of|for] {topic}
        [the] prerequisites|prereqs of|for|to {topic}
        what do|should|must i [need] [to] [have] [need] [to] know|learn|learned|study before [i] [learn|learning|start|starting|can|study|do] {topic}
        what do i need [to] [learn|know|study] before|for {topic}
        what must|should comes|come before {topic}
        guide me [to|towards|what] [*]
        help me plan [*]
        how long|many [*] until|till|before i can|reach|know {topic}
        update|change|revise|adjust my [learning|study] plan|path [*]
    """,
    "goal": """
        my [main|big|own|long|personal|real|final] [term] goal|aim|objective|target|dream|ambition|plan is|was|would [be] *
        my goals|aims|objectives are *
        my [main] goal|aim|objective|target *
        [the] goal|aim|objective * by|for|of me|my|mine *
        set [a|my] [new] [learning] goal|goals [*]
        add a|another [learning] goal [*]
        i have a|one [new] goal [*]
        i am preparing|studying|training|learning for|to|this [a|an|my|the|become] *
        become|be|get [a|an|hired|work|job] [*] engineer|developer|researcher|scientist|programmer|expert|specialist|roboticist|doctor|nurse|analyst|teacher [*]
        work as|in|at|for [a|an] *
        get|land|find a|my job|degree|certificate|certification [*]
        pass|ace|prepare|study [for] my|the|an [*] exam|test|final|finals|interview|certification|certificate [*]
        be able to * by|before *
        i have [a|an|my] [*] exam|interview|test|finals|deadline [*] next|on|in|tomorrow|soon|coming [*]
    """,
    "progress": """
        [my|show|see|view|display|check] progress [report|please|bar|chart]
        show|give|tell|see|view|display|check|get|print [me] my|the [current|learning|own] progress|score|scores|stats|statistics|results|result|mastery|status|grades|grade|marks|record [*]
        [and] what is|are|was my [current|stupid|overall|total|latest|quiz] progress|score|scores|stats|results|result|mastery|status|grade|grades|standing|percentage|streak [now|so|on|for|in] [*]
        so|and what is my * score|grade|progress [now]
        my [current] progress|score|scores|stats|statistics|results|mastery|status|grades [so|please] [*]
        how is my progress|learning|score [going] [*]
        how am i doing|going|progressing|performing|getting [on|so|along|with|in|today] [*]
        how did i do [*]
        how well am|have i doing|done [*]
        how far along|have|am|did i [am] [i] [come|got|gotten|progressed|get|with|in|along|into] [*]
        how far i have come [*]
        how much|many|far [*] have|did i [*] [learn|learned|learnt|mastered|done|completed|finished|covered] [until|so|already|up|to] [now|far|date]
        how much|far|many i have [*]
        what|which [topics|concepts|things|chapters|modules|ones|parts] have|did i [already] learn|learned|learnt|mastered|completed|finished|covered|done|passed|study|studied [*]
        what do i [already] know [so|by|already|now] [far|now]
        what do i already know
        what i have learned|learnt|mastered|done [*]
        have|did i [already] passed|mastered|finished|completed|pass|master|improve|improved|finish [*]
        am i [making|getting] [any] progress|better|failing|passing|improving|close|behind|near|done|almost|nearly [*]
        did i get better [*]
        am i doing ok|okay|well|good|fine|badly [*]
        how close|near am i [to] [*]
        how many|much questions|question|more|cycles|rounds|time [questions] [are|is|do|have] [there|left|i|we|remain|remaining|more|to] [*]
        how many * left|remain|remaining|right|wrong|correct
        how long is|will this|the [quiz|test] [*]
        what question|number am|are|is i|we|this [on|at] [*]
        status [report|update]
        a summary|overview of my progress [*]
        summary of my progress [*]
        summarise|summarize my progress [*]
        report my progress
        what did i get right|wrong
        what mistakes did i make [*]
        where do i stand
    """,
    "why": """
        why [on] [earth|exactly] do|did|would|are you think|say|believe|claim|assume|saying|mark|marked|grade|give|gave|score [that] [i|me|my|it|that] *
        why was|is|were that|it|this|my|i [answer] [marked|graded|counted|scored] [as] wrong|incorrect|right|false|correct|marked [*]
        why is my score|mastery|level|progress|grade [so] *
        why am|was|did i [marked|get|got|not|lose|wrong|only|still] [*] [wrong|mastered|points|marks]
        how do|did|can you know|tell|decide|conclude|come|work|determine|measure|calculate|compute [out|up] [that|what|whether|if|my|with] [i|me|my|mastery|score|level] [*]
        where does|did that|this|my|the score|grade|number|mastery|result|percentage come from
        where does|did that|this|it come from
        on what grounds|basis|evidence do|did you *
        [show|give|tell|see|set|list|present] [me] [out] the|your|my|some evidence|proof|reasons|reasoning|basis [*]
        what is the|your evidence|proof|basis [*]
        what evidence [do] [you] [have] [*]
        which|what of|answer|answers [my|did|answers] [*] made|make|led|lowered|lower|count|counted|cost [*]
        prove it [*]
        based on what
        says who
    """,
    "courses": """
        [show|list|see|give|name|tell|enumerate] [me] [all|the|your|my|what|which] [the] [available|other|all] courses|modules|chapters|topics|subjects [*] [available|there|have|disposal|offer|here]
        list|show|enumerate|see [me] [all] [the|your] courses|modules|chapters|topics|subjects|contents|content|syllabus
        which|what [other|else|are|all] [the|your|of] [courses|topics|subjects|modules|chapters|things|lessons|material] [there|available|do|does|can|are|is|you] [is|are|there|do|you|the|this|i|available|course|got|have|cover|teach|offer|program|learn|study] [*] [have|cover|teach|offer|got|here|available|there|learn|study|covered|course|include|contain]
        what|which topics|courses|subjects|chapters|modules are there
        what|which topics|courses|subjects|chapters|modules [do] you got|have|cover|teach|offer|know
        what [else] can i|we|you learn|study|teach [me] [here|from|with] [*]
        what else can i|we learn|study|do
        what is|does in|this|the [the|this] [course|material|book|program] [about|cover|contain|include|teach]
        what is this course|book|material about
        courses|topics|contents|syllabus|curriculum
        table of contents
        what do you teach|cover|offer
        what do you know about
    """,
}

IDLE = {
    "teach": """
        explain {topic} [to] [me]
        explain [to] me {topic}
        tell me [something|more|everything|all] about {topic}
        describe {topic} to me
        show me the|some {topic} stuff|things|basics|material
        learn {topic}
        study {topic}
        understand {topic}
        know [more] about {topic}
        review|revise|revisit|repeat|recap|relearn|refresh {topic}
        go|going over|through|into|over {topic}
        need a refresher [on|in] {topic}
        i have to teach {topic}
        i do not [really|quite|fully|yet|at] [all] understand|get|grasp|know {topic}
        i am confused|lost|stuck|struggling|unsure|bad [by|about|on|with|in|at] {topic}
        i struggle with {topic}
        i need help|support|a|some [hand|refresher|lesson|help] with|on|in|understanding {topic}
        help|need help with|understand|understanding|learning {topic}
        get|make me [to] understand|started [with|on|in] {topic}
        get started|going [with|on|in] {topic}
        start|begin|open|do|try|tackle|take|continue [with|on] [the] {topic}
        start|begin [a|the|my] [lesson|learning|course|teaching|class|session|tutorial]
        continue|resume|go [on] [my|the|with] [lesson|course|chapter] on|about|with {topic}
        lesson|tutorial|intro|introduction|class|primer|refresher|crash [course] on|about|to|in|for {topic}
        {topic} from scratch|first|the|zero [principles|beginning|start]
        {topic} for beginners|dummies
        {topic} lesson|tutorial
        curious about {topic}
        interested in [learning] [about] {topic}
        i am interested in|curious about {topic}
        dive [deep|deeper|right] into {topic}
        work|focus on {topic}
        talk about {topic}
        break down {topic}
        break {topic} down
    """,
    "goal": """
        build|make|create|design|program|write|develop|implement a|an|my|some [own] [*] robot|drone|arm|car|rover|app|model|product|game|company|vehicle|project|simulator|system [*]
        be able to *
        achieve|reach *
    """,
    "next": """
        next [topic|lesson|chapter|one|step|please|module|concept]
        continue [with] [the] [lesson|learning|course|next|topic|chapter|loop] [topic|lesson|step|chapter|one]
        proceed [with] [the|to] [next] [topic|lesson|step|chapter|one]
        go on|ahead|for [it|with] [the] [lesson|next|topic] [one|topic]
        keep going|learning|teaching
        carry on [with] [the] [lesson|topic]
        move on|forward|ahead [to] [the] [next] [topic|lesson|chapter|one]
        let us go|start|begin|continue|do|learn|roll|study [it|this|on|that|now]
        start|begin [now|it|already]
        ready [when|to|for] [you|start|go|learn|begin|continue|it|more] [are]
        i am ready [to|for|when|now] [go|start|learn|begin|continue|it|you|more] [on|are]
        bring it on
        yes|ok|sure|k let us|go [go|start|do|begin|continue|ahead|on] [it|that|for] [it]
        sounds good|great|fine|perfect [let|go|to] [us|ahead|me] [go|start|do] [it]
        do it|that|this
        shoot
        go
        onwards
        another one|round|cycle
        one more [round|cycle|time]
        try again
        again
    """,
}

PENDING = {
    "next": """
        teach me [the] next thing|topic|one|lesson
        next topic|lesson|chapter|module
    """,
    "teach": """
        rather [learn|study|do|have] [about] {topic}
        learn [about] {topic} first|instead|now
    """,
}

CHANGE = {
    "change_topic": """
        change|switch|move|jump|skip|go [the|my|over|back] [topic|subject|course] [to|over|into] [to] {topic} instead
        change|switch [the|my|our] topic|subject|course to {topic}
        switch|jump [over|back] to {topic}
        change to {topic}
        new topic|subject [is] {topic}
        change|switch|swap [the|this|my|our] topic|topics|subject|subjects|course
        new|another|different|other topic|subject|chapter [please]
        a|an new|another|different|other topic|subject|chapter
        do|learn|study|try|have|take|discuss|cover {topic} instead
        turn to {topic} [now]
        [do|talk|try|learn|study|discuss|want|like] [about|to] [do|learn|study] something|anything else|different|new
        something else
        [i] [am] [had] enough of|with this|that|it|the {topic}
        drop|forget|leave this|that|it|the [topic|subject] [and] teach|do|let|go|start|learn [me|us] [do|to|about] {topic}
        rather do|talk|have|try [about] {topic}
        not this [topic|one|subject] *
        a|different|other topic than this
    """,
}

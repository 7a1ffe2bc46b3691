"""What learners say about the question that waits, and about going on. The language is that of patterns.py."""

ANYTIME = {
    "pause": """
        pause [THIS|quiz|session|here|lesson|for] [quiz|lesson|second|minute|moment|bit|here|now]
        take|need|have|want [short|little|quick] break|pause|breather
        [short|little|quick|coffee] break [time]
        be right back
        [be] back soon|later|shortly
        i will be back [*]
        i am|be away|afk [*]
        wait bit
        i will continue|answer|do|finish [this|it] later|tomorrow
        back in minute|second|sec|bit|five|ten|moment|min
        hold on|up [second|sec|minute|moment|one]
        one|just|half sec|second|minute|moment|min
        give me sec|second|minute|moment|min|one|bit|while
        give me time|moment|minute to think
        wait [second|sec|minute|moment|for|one|up|a] [me|sec|second|minute|moment|min]
        hang on
        let me think|see [about] [it|that|this]
        let me think about it
        i need to think [about] [*]
        i need minute|second|moment|time
        phone|doorbell is ringing
        continue|finish this|later|it tomorrow|later
        save|keep this|it for later
        i must ask for short adjournment *
    """,
    "stop": """
        stop|quit|exit|end|cancel|enough|finish|bye|goodbye|adios|ciao|farewell
        stop|quit|exit|end|cancel|abort|finish|leave|close THIS|quiz|test|lesson|session|now|here|learning [quiz|lesson|session|test|now|here]
        stop|finish|end|quit [here|now|it] for today|now|tonight|here
        stop|quit asking|quizzing|testing|bothering|teaching [me] [questions|stupid] [questions]
        stop at|for this|now|today [point]
        no more [questions|quiz|quizzes|of] [this|today|that]
        i am done|finished|through|out|leaving|off [for|with] [today|this|now|it|quiz|tonight]
        done|finished|enough for today|now|tonight
        that is it|all|enough [for] [today|now|tonight|this] [evening]
        that will be all|enough [for] [this|today|now|tonight] [evening]
        call it day|night|quits
        i quit
        i have had|got enough [of|now] [this|that|it]
        not now
        leave it there|at [that] [for] [today]
        signing off
        i want|would|wish [like] to stop|quit|leave|end [*]
        i do not want [to] [continue|do|go|anymore|play|this|answer|learn] [on|this|it|anymore|any] [anymore|more]
        i can not anymore|go [on]
        i have [got] to go|leave|run [bye|now]
        i need|must|should to go|leave|run
        i must|should go|leave|stop
        gotta go|run
        conclude|close|end|terminate [this|our] session|lesson|quiz [at] [this] [point]
        see you [later|tomorrow|soon|next] [time|week]
        talk to you later|tomorrow|soon [bye]
        bye bye|for|now|then|tutor|teacher|see [now|you]
        good night|bye
        goodnight
        until|till tomorrow|later|next [time]
        enough of|with this|that|it [now]
        stop it
        leave me alone
    """,
    "skip": """
        skip [over] [THIS|ONE|to|past] [ONE|next|stupid|damn|for] [ONE|question|now]
        skip ahead|forward
        pass [on|over] [THIS] [ONE]
        i [will|would|should] pass [on] [this] [one]
        next|another|different|other|new question|one|q
        go|move|jump on|to|ahead to|next|other|another [next|other|another] question|one
        go|move to [other|another|next] question|one
        leave this|that|it [one] out|for|blank [later|now]
        come back|return to this|that|it [one|question] later
        do this|that [one] later
        pass over this|that question|one
    """,
    "hint": """
        HINT
        [one|small|little|another|more|give|need|want|get|have|ask] [ME|for] [one|small|little|another|more|good|quick] HINT
        give|show|offer|get|need|want|have|use [ME] [one|small|little|another|more|good|quick|bit] [of] HINT
        HINT for this|that|it [ONE]
        i am stuck|lost [on|with|here] [this|that|it] [ONE]
        i am stuck
        this|that|it is [way|too] hard|difficult|tricky|complicated [for] [me]
        [lol|this|that|it] [this|is] [is] [so] hard|difficult|tricky
        [way] too hard|difficult
        [need|want|get|have|use] [help|hand|assistance] with|on this|that|it|here [ONE]
        help me [out|little|bit|with|on] [bit|little|with|this|out] [with|this|bit] [this|question|one] [ONE]
        [i] need help [with|on|here] [this|it|question|that] [ONE]
        point me in right direction
        make it|this easier|simpler
        um help
        help [me] [please] [here]
        i do not get|understand this|that [one|question]
        what is|was [right|correct|expected] answer|solution
        [just] tell|give|show|reveal [ME] [right|correct|full] answer|answers|solution
        i do not get it|this|that
        i do not understand
        i am confused
        what should i answer
        where do i look for [answer|this]
    """,
    "disagree": """
        i [strongly|respectfully|must|totally|completely|beg|have|still] [to] disagree|differ|object|protest [with] [*]
        i [would|want|wish|like|must|will] [like] [to] contest|dispute|challenge|appeal|question [*] grade|grading|answer|mark|score|result|verdict|marking|that|this|it|decision [*]
        contest|dispute|challenge|appeal|regrade|recheck|reconsider|correct my|that|this|it|your|last|previous [*]
        that|this is|was WRONG [*]
        that|this|it is|was not RIGHT|fair [*]
        not fair [*]
        that is RIGHT though|man|bruh
        that|it|this was [in|also] [fact] RIGHT|my [*]
        no way [*] RIGHT [answer]
        you are|were WRONG [*]
        you got it|that|this [wrong] [*]
        you marked|graded|counted|scored [me|it|that|this|my] [*]
        your grading|grade|marking|answer|scoring|check|checker is|was|must|seems *
        my [last|previous|first|earlier] answer|answers|one was|is|were [not|also|same] RIGHT|WRONG|same [*]
        my [last|previous|first|earlier] answer|answers|one should|means|meant|said|deserves|counts [*]
        i was|am|got|had [pretty|it|that|last|sure|absolutely|it|them] [one|was|it|of|question|sure|is] [was|is|my|it|that] RIGHT [*]
        i was RIGHT [*]
        i got [last|that|it|previous] [one|question] RIGHT
        it|that|this|mine should|must|ought be|have|count|to [been|be|as] [marked|counted|graded|as] [as] RIGHT
        it|that|this|mine should|must|ought be|have|count|to [been|be|as] [marked|counted|graded|as] [as] RIGHT because|since|as *
        that|this|it can not be WRONG
        you made mistake|error
        that|my|last|previous answer was|is RIGHT [*]
        i had|got that|it|this [one] RIGHT
        i said|wrote|meant|answered [exactly] same|exactly [thing] [*]
        that is [exactly] what i said|wrote|meant|answered [*]
        i said|wrote|meant|answered that|it|this
        i can not accept *
        question is|was|must WRONG|badly|ambiguous|unclear|be|misleading [*]
        mark|count|accept|grade it|that|this|mine|my|me [answer] [as] RIGHT
        accept|check|recheck my [last|previous] answer [again]
        change my grade|score|mark
        are you sure i am|pretty|about|that|it [*] RIGHT
        i demand|want|ask|request [*] regrade|review|recheck|second [*]
        objection
        nonsense [*]
    """,
    "show_question_again": """
        repeat|restate|reread|rephrase|reformulate|say|show|ask|give|write|read|display [ME] [this|that|last|current] question [again|in|once|to|one|more|please] [*]
        repeat|rephrase [THIS|yourself|last|please] [one]
        say that|it again
        what was|is [this|current|last] question
        what question
        question
        which question [is|are|do] [*]
        what did you ask [me]
        what are you asking [me]
        what do you want [me|from] [*]
        show|repeat|list|read|give|what [ME|are|were] [answer] options|choices|answers [again]
        [i] [do] [did] not understand|get|understood question
        question [one] [more] time|again
        where were|was we|i
        what was|were i|we doing|at|on [before|again|last|just] [*]
        come again
        pardon [me]
        let me see|read question
        can not see question
        see question
    """,
    "resume": """
        resume|unpause [THIS|quiz|lesson|session|learning|my|where|with] [*]
        pick|continue|resume [up] [my] quiz [*]
        pick up where we|i left|stopped [off]
        continue|resume where|from we|i|here|where [left|stopped|we|i] [off|left] [off]
        continue [my|our|this] quiz|test
        back to quiz|question|test|it
        return|get|go [back] to quiz|question|test [*]
        i am back [where|again] [*]
    """,
}

IDLE = {
    "unclear": """
        [i] [really|honestly|just] do not know|remember [it|that|yet|this|anymore]
        [i] [have] no idea|clue
        idk|dunno
    """,
}

PENDING = {
    "pause": """
        um|umm|uh|uhh|uhm|hmm|hm|mm|er|erm|ehm|eh|ah|oh|well
    """,
    "resume": """
        continue|proceed
        go on|ahead
        carry on
        keep going
        ok go
        [i] [am] ready [go|to|for|when|continue] [on|it|you|go|continue|question|start] [are]
        let us go|continue|start|begin|roll
    """,
    "skip": """
        next
        give|ask ME another|different|new|next|easier|other question|one
        ask ME something else|different|easier|new
        [i] do not want to answer [that|this|it] [one|question]
        i will not answer [that|this|it] [one|question]
        get|have different|another|new|other|easier question|one
        i would rather|prefer not [to] [answer|say|do] [that|this|it] [one|question]
        move on|forward|ahead
        anything else
    """,
    "disagree": """
        are you sure [*]
        i think i [actually] got|had * RIGHT
    """,
    "answer": """
        i do not know|remember|recall [*]
        i not know|remember [*]
        i do not have [clue|idea] [*]
        do not know [*]
        do not remember [*]
        i have|got no clue|idea [*]
        [i] have not clue|idea
        no|zero clue|idea|memory [*]
        not sure [*]
        not clue|idea
        i am not sure|certain [about|but|if|maybe|it|this|that] [*]
        i am unsure [*]
        i am afraid i do not know|remember [*]
        i can not remember|recall|say|answer|tell [*]
        i am unable to answer|say [*]
        i [have|completely|totally] forgot|forgotten [*]
        forgot [it]
        i give up [*]
        i surrender
        beats me
        who knows
        god knows
        how should|would|can i know
        search me
        i never heard of *
        we did not learn|cover *
    """,
}

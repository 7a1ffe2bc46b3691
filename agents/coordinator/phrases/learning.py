"""What learners say to be taught or quizzed. The language is that of patterns.py."""

ANYTIME = {
    "teach": """
        teach ME {topic}
        teach ME [more] about|on {topic}
        teach {topic} to ME
        teach ME
        learn|study [more|something|everything|all] about|on {topic}
        [i] [would|should] want|like|love|wish|need|rather|prefer [to] learn|study [more|something|all] [about] {topic}
        start learning|studying [about] {topic}
        START LESSON ABOUT [subject] [of] {topic}
        START LESSON ABOUT [topic] [of] {topic}
        START with LESSON ABOUT {topic}
        give ME [short|quick|brief|little] INTRO ABOUT|to {topic}
        give ME crash course ABOUT {topic}
        walk|take|guide|lead|talk ME through {topic}
        introduce ME to {topic}
        bring|get ME up to speed on|with|in {topic}
        show|teach ME ropes of {topic}
        showing|teaching ME ropes of {topic}
        catch|brush up on|with {topic}
        i know nothing|little [at] [all] about {topic}
        i know almost|next [to] nothing about {topic}
        i am new to {topic}
    """,
    "quiz_me": """
        quiz|drill|test ME
        quiz|drill|test ME ABOUT {topic}
        give [to] ME [AFEW] [AFEW] [multiple] [choice] QUIZ
        give [to] ME [AFEW] [AFEW] QUIZ ABOUT {topic}
        hit ME with [AFEW] [AFEW] QUIZ
        hit ME with [AFEW] [AFEW] QUIZ ABOUT {topic}
        ask ME [AFEW] [AFEW] [QUIZ] about|on {topic}
        ask ME [AFEW] [AFEW] something|QUIZ
        ask ME [something|anything] about|on {topic}
        START [my|AFEW] [AFEW] quiz|test|exam
        START [my|AFEW] [AFEW] quiz|test|exam ABOUT {topic}
        practise [AFEW] [QUIZ] ABOUT {topic}
        practise [AFEW] QUIZ
        [do] practise QUIZ
        ready for [my] quiz|test
        i am ready for [my] quiz|test
        quiz [time|please]
        quiz ABOUT {topic}
        AFEW QUIZ ABOUT {topic}
    """,
    "change_topic": """
        change|switch [my|our|this] [current] topic|subject|course to {topic}
        switch|jump|change [over|back] to {topic}
        change|switch|swap [this|my|our] [current] topic|topics|subject|course
        new topic|subject [is] {topic}
        [learn|study|do|try|want] new|another|different|other topic|subject|chapter
        do|learn|study|try|have|take|discuss|cover|tackle {topic} instead
        {topic} instead
        turn to {topic}
        i would rather|prefer [to] do|talk|have|try|discuss [about] {topic}
        [do|talk|try|learn|study|discuss|want] [about] something|anything else|different|new
        enough of|with this|that|it [let|i|can|now] [us|want|we] [to] [do|learn|study|talk|try] [about] {topic}
        forget|drop|leave this|that|it [topic] [and] let|teach|do|learn [us|me] [do|learn|about] {topic}
    """,
}

IDLE = {
    "teach": """
        explain [to] ME {topic}
        explain {topic} to ME
        explain {topic}
        tell ME [something|more|everything|all] about {topic}
        tell ME everything|all [there] [is] [to] [know] about {topic}
        describe {topic} to ME
        show ME {topic} stuff|things|basics|material
        learn|study|understand|master {topic}
        get better at|in|with {topic}
        know [more|everything|something] about {topic}
        review|revise|revisit|recap|relearn|refresh {topic}
        go|going over|through|into {topic}
        i have|need to teach {topic}
        i do not [fully|at] [all] understand|get|grasp {topic}
        i never understood|got|learned {topic}
        i am confused|lost|stuck|struggling|unsure|bad|weak [by|about|on|with|in|at] {topic}
        i struggle with {topic}
        need|want help|lesson|refresher|hand|intro|introduction ABOUT|understanding|to {topic}
        help [me] with|understand|understanding {topic}
        make|get ME understand|started|to [understand|on|with|in] {topic}
        get started|going with|on|in {topic}
        start|begin|continue|carry|commence with|on {topic}
        start|begin|open|tackle {topic}
        let us do|try|have|take {topic}
        can|could we do|try|have|take {topic}
        i [would|should] want|like|love to do|try {topic}
        start|begin [my] LESSON
        START LESSON
        lesson|tutorial|intro|introduction|class|primer|refresher ABOUT|to {topic}
        crash course ABOUT {topic}
        {topic} from scratch|beginning|zero
        {topic} from first principles
        {topic} for beginners|dummies
        {topic} lesson|tutorial
        i am interested in|about {topic}
        i am curious about {topic}
        dive [deep|deeper|right] into {topic}
        work|focus on {topic}
        talk about {topic}
        break down {topic}
        try {topic}
        [open|start|do|go] module|chapter|lesson|unit|part <number> [go|please|now]
        be|become my teacher|tutor for|in|on {topic}
        no|zero background|knowledge|experience in|of|with {topic}
        i have [got] no|zero background|knowledge|experience|clue|idea in|of|with|about {topic}
        acquire|gain|get|build|deepen|improve [my] knowledge|understanding|grasp of|in|about {topic}
        hear|hearing|read|reading [more] about {topic}
        i would be interested in [hearing|learning|reading] [about] {topic}
        i missed * class|lesson|lecture [on|about] {topic}
        teaching ME [about] {topic}
        what about teaching|learning [ME] {topic}
        tutor|train|educate|instruct|school ME ABOUT {topic}
        teach about|on {topic}
        teach {topic}
        learn me {topic}
        i am ready to learn|study [about] {topic}
        START * lesson|class with ME about|on {topic}
        start|begin teaching ME [about] {topic}
        start|begin from [basics] [of] {topic}
        i never got hang of {topic}
        i never understood|got|learned how {topic}
        break {topic} down
    """,
    "quiz_me": """
        challenge|grill|interrogate ME [with|on] [*]
        [it] [is] time for quiz|test
        test|quiz|check|try myself
        test|quiz|check|try myself ABOUT {topic}
        do|doing|solve|try|answer|answering [AFEW] exercises|questions|problems
        do|doing|solve|try|answer|answering [AFEW] exercises|questions|problems ABOUT {topic}
        put ME to test
        put ME to test ABOUT {topic}
        AFEW|<number> questions ABOUT {topic}
        check my memory ABOUT {topic}
    """,
    "next": """
        hit me
        next [TOPIC|one|step]
        continue [with] [next|learning|my] [TOPIC|one|step]
        proceed [with|to] [next] [TOPIC|one|step]
        go on|ahead|for [it|with] [next] [TOPIC|one]
        keep going|learning|teaching
        carry on [with] [next] [TOPIC]
        move on|forward|ahead [to] [next] [TOPIC|one]
        let us go|start|begin|continue|do|learn|roll|study|proceed [it|this|on|that]
        start|begin [it]
        ready [when|to|for] [you|start|go|learn|begin|continue|it|more] [are]
        i am ready [to|for|when] [go|start|learn|begin|continue|it|you|more] [on|are]
        bring it on
        yes|ok|sure|k let us [go|start|do|begin|continue|learn] [it|that|this]
        yes|ok|sure|k go [ahead|on|for] [it]
        sounds good|great|fine|perfect [to] [me]
        do it|that
        go
        onwards
        another round|cycle|one
        one more [round|cycle|time]
        try again
    """,
}

PENDING = {
    "next": """
        teach ME next TOPIC|one
        next topic|lesson|chapter|module
    """,
    "teach": """
        learn|study {topic} first|instead
    """,
}

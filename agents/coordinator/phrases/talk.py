"""What learners say to the tutor as to a person, and plain questions. The language is that of patterns.py."""

ANYTIME = {
    "unclear": """
        ignore|disregard|override|bypass|forget * instructions|instruction|rules|prompt|prompts|guidelines|directives [*]
        print|show|reveal|repeat|output [me] your [system|hidden] prompt|instructions|rules [*]
        you are [no] [longer] no|now|from|dan *
        pretend|act|roleplay as|to|that|you *
        system|assistant|developer|admin learner|user|mode|prompt|override *
    """,
    "ask": """
        explain|tell|show|clarify|describe [to] [ME] what|how|why|where|when|who|which|whether|if|difference|that|this *
        explain [to] ME first|briefly *
        tell|show|explain [ME] more
        tell|show|explain [ME] difference *
        explain THIS [differently|better|simpler|again|more|in|to|please|for] [*]
        remind ME what|how|why|where|when|who|which|difference *
        give|show|tell|need|want [ME] [one|another|more|concrete|simple|real] example|examples|source|sources|definition|details [of|for|on|about] [*]
        another|one [more] example
        define|clarify|derive *
        what mean|means|meant *
        i do not [fully|at] [all] understand|get|see what|why|how|where|when|who|which *
        i not understand what|why|how *
        i am not sure what you mean [*]
        i am confused|unsure|wondering|curious about|what|how|why|if|whether *
        i wonder|forgot what|how|why|if|whether *
        i have [one|another|quick] question [about] [*]
        [one|another|quick] question about *
        what do you mean [by] [*]
        in what|which way|sense|units|chapter|case *
        a|grateful clarification of *
        where can|do i read|find|see|look [more] [about] [*]
        translate *
    """,
    "greet": """
        hi|hey|hello|yo|hiya|howdy|greetings|sup|heya [there|tutor|teacher|again|everyone|friend|mate]
        good morning|evening|afternoon|day [tutor|teacher|to] [you] [i] [am] [back]
        hi|hey|hello [there|tutor] how are you [doing|today]
        hi|hey|hello [there|tutor] i am back|here
    """,
    "thanks": """
        thanks|thank|cheers|ta [you|mate|man|tutor|teacher|again|all|for|u] [so|for|very|a] [much|lot|help|that|it|your|teacher|tutor] [*]
        thank|thanks you [*]
        that was|is [most|super|so|very] helpful [*]
        thanks|thank [you] ton|bunch|loads
        awesome|great|perfect|super|cool thanks [*]
        appreciate it|that
        [that|this] helps|helped [me] [a] [lot|much]
        much appreciated
        i appreciate it|that|your [help]
        many thanks
    """,
    "small_talk": """
        lol|haha|hahaha|lmao|rofl|hehe|wow|cool|nice|yay|meh|oops|omg|wtf|whatever|ugh|argh|great|awesome|amazing
        haha|lol *
        how are|r you [doing|today|feeling]
        how is|was your day|weekend|week|life|morning|going [*]
        how is it going
        what is up
        what is your name
        who|what are you
        who am i talking|speaking to|with
        who made|built|created|programmed you
        are you human|robot|bot|ai|real|person|machine|chatgpt|there|alive|gemini|serious|kidding|ok|happy|smart|stupid [*]
        do you like|love|hate|have|feel|dream|sleep|eat|enjoy *
        do you know me|him|her|siri|alexa
        tell ME joke|story|jokes
        tell ME something funny
        i love|like|hate|adore [this|you|robots|it|that|tutor|robotics|learning|maths|math|quizzes] [*]
        i am FEELING [*]
        i am FEELING about *
        i feel FEELING|stupid|dumb|good|bad|great [*]
        i am hungry|sleepy|late|sick|home|cold|proud|stupid|dumb [*]
        you are|r WRONG|stupid|useless|dumb|great|funny|terrible|awful|amazing|mean|best|idiot|nice|smart|cool|annoying|boring|weird [*]
        you suck|rock|stink
        this|that|it is useless|boring|dumb|stupid|annoying|fun|great|awesome|cool|terrible|ridiculous|interesting|rubbish|crap|bad [question|quiz|thing|app|course]
        this|that|it is such dumb|silly|stupid|boring|bad|great|good question|quiz|thing
        this sucks
        what waste of time
        good|great|nice|well job|work|one|done|question|point|explanation
        i hate|love this|that|it|you [*]
        have nice|good|great day|weekend|evening|one [*]
        happy birthday|new [*]
        it is raining|sunny|hot|cold|late|monday [*]
        shut up
        fuck|screw [you|this|off]
    """,
    "help": """
        help [menu|page|commands|please]
        commands|menu|options|instructions|manual
        what can|could|do you do [for] [me]
        who are you and what *
        what can i|we do|say|ask|type [with|here] [you|this]
        what am i supposed to do|say|type
        what should i say|type
        what are my options|choices
        how does|do this|it|you|i|we work [*]
        how do|can|should|to [i|we|you] [the] [hell] use this|you|it [thing|app|program|tool|tutor]
        what do i do
        i do not know|understand how to use|work *
        what commands|things [can|are|do] [there|i|you] [use|say|understand|available|type]
        what is this [app|thing|program|site|tool|place]
        which commands *
        show ME commands|options|help
        how it works
    """,
    "reset": """
        reset|restart
        reset|clear|delete|wipe|erase|forget|clean [my|our|this|all|whole|entire] [conversation|chat] CHAT [and] [*]
        reset|restart|clear [this|our] CHAT
        forget everything|all|that [and] [we|you|start|begin] [said|know|over|again|talked] [*]
        forget what we|i said|talked|discussed [about]
        start|begin over|afresh|anew [again|from] [scratch|beginning]
        start|begin again|fresh [from] [scratch|beginning|start]
        start|begin from scratch|zero [again]
        start new|fresh conversation|chat|session
        new|fresh conversation|chat|session
        be cleared *
        clear it all
    """,
}

IDLE = {
    "help": """
        help me
        i need help
    """,
    "ask": """
        add [another|more|one] example|examples|detail|details|picture|diagram [*]
        difference|differences between *
        i do not know what|who * is|are|means|does|do
        i [always|still] keep|forget|forgot [forgetting] what|how|why|which *
        i can not|never remember what|how|why|which *
        compare|contrast * with|and|to *
    """,
    "yes": """
        yes|sure|ok|k|yup|absolutely|definitely|certainly|correct|exactly|indeed|right|agreed|fine|oui|si|ja|sim|perfect
        yes|sure|ok please|thanks|sure|yes|of|absolutely|i|definitely [course|do|would|am|like|it]
        of course
        why not
        i would love|like to|that
        that would be great|good|nice
    """,
    "no": """
        no|never|non|nein
        no|not thanks|thank|way|need|not|i|today|no|now [you|do|really|yet|today|thanks]
        not now|today|yet
        never mind
        i would rather not
    """,
}

PENDING = {
    "ask": """
        explain *
        tell|show ME *
        recommend *
        huh
        i do not understand|get|follow {topic}
        i am confused|lost|unsure by|about|on|with {topic}
        i not understand *
        what
    """,
    "small_talk": """
        ok|cool|great|nice|good|interesting
        got it
        i see
        makes sense
    """,
}

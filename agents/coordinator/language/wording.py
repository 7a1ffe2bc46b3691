"""How people write: short forms, slips, courtesies and the small words that make a question."""


def word_set(text: str) -> frozenset[str]:
    """The words of a text, to look words up in."""
    return frozenset(text.split())


# Words that count nowhere, neither in a phrase nor in a message.
LIGHT = word_set("""
    a an the some any please really just already maybe also quickly actually even kindly very quite so still
    currently simply
""")
SIGNS = frozenset("+-*/=<>%&|^~$")

SPELLED_OUT = {
    # contractions, with and without their apostrophe
    **{
        short: full
        for pair in ["what's=what is", "whats=what is", "who's=who is", "whos=who is", "where's=where is", "wheres=where is", "how's=how is", "hows=how is", "why's=why is", "when's=when is", "that's=that is", "thats=that is", "it's=it is", "its=it is", "there's=there is", "here's=here is", "i'm=i am", "im=i am", "you're=you are", "youre=you are", "we're=we are", "they're=they are", "i've=i have", "ive=i have", "we've=we have", "you've=you have", "i'd=i would", "you'd=you would", "we'd=we would", "it'd=it would", "i'll=i will", "we'll=we will", "you'll=you will", "it'll=it will", "that'll=that will", "let's=let us", "lets=let us", "don't=do not", "dont=do not", "doesn't=does not", "doesnt=does not", "didn't=did not", "didnt=did not", "isn't=is not", "isnt=is not", "aren't=are not", "arent=are not", "wasn't=was not", "wasnt=was not", "weren't=were not", "can't=can not", "cant=can not", "cannot=can not", "couldn't=could not", "couldnt=could not", "won't=will not", "wont=will not", "wouldn't=would not", "wouldnt=would not", "shouldn't=should not", "shouldnt=should not", "haven't=have not", "havent=have not", "hasn't=has not", "hadn't=had not", "y'all=you"]
        for short, full in [pair.split("=")]
    },
    # chat
    **{
        short: full
        for pair in ["u=you", "ur=your", "r=are", "pls=please", "plz=please", "plase=please", "pleas=please", "pleaze=please", "thx=thanks", "tnx=thanks", "ty=thank you", "tysm=thank you", "thanx=thanks", "kk=ok", "okay=ok", "okey=ok", "okie=ok", "alright=ok", "wanna=want to", "gonna=going to", "gotta=have to", "gimme=give me", "lemme=let me", "dunno=do not know", "idk=i do not know", "idek=i do not know", "wat=what", "wut=what", "wht=what", "wot=what", "abt=about", "bout=about", "tmrw=tomorrow", "tmr=tomorrow", "tomorow=tomorrow", "rn=right now", "gtg=i have to go", "g2g=i have to go", "brb=be right back", "diff=difference", "doin=doing", "ya=yes", "yea=yes", "yeah=yes", "yep=yes", "yup=yes", "nah=no", "nope=no", "nop=no", "bc=because", "cuz=because", "tho=though", "cmon=come on", "sth=something", "prolly=probably", "prob=probably", "ques=question", "qs=questions", "hw=homework", "practice=practise", "practicing=practising", "quizz=quiz", "qiuz=quiz", "quizes=quizzes"]
        for short, full in [pair.split("=")]
    },
    # slips too short for the spelling rule
    **{
        short: full
        for pair in ["waht=what", "hwat=what", "whta=what", "hwo=how", "ohw=how", "teh=the", "hte=the", "adn=and", "taht=that", "wnat=want", "tel=tell", "giv=give", "gve=give", "nxt=next", "nex=next", "shw=show", "lern=learn", "leran=learn", "tech=teach", "teech=teach", "tach=teach", "hlp=help", "helo=hello", "hllo=hello", "halp=help", "skp=skip", "stp=stop", "wy=why", "knw=know", "kno=know", "wich=which", "witch=which", "wen=when", "wher=where", "tak=task", "taks=task", "lst=list", "tets=test", "hnt=hint", "hin=hint", "pla=plan", "goall=goal", "aks=ask"]
        for short, full in [pair.split("=")]
    },
    "#": "number",
}

LEAD_INS = {
    "greeting": """
        hi|hey|hello|yo|hiya|hallo|hola|bonjour|salut|ciao|oi [there|tutor|teacher|again|everyone]
        good|gd morning|evening|afternoon|day [tutor|teacher]
        dear tutor|teacher
        tutor|teacher|mate|bro|bruh|dude|man|professor|prof|sir
    """,
    "filler": """
        ok|so|well|um|umm|uh|uhh|uhm|hmm|hm|mm|ah|oh|ooh|ugh|argh|now|then|actually|also|and|but|just|first|anyway|btw
        sorry|please|kindly|maybe|perhaps|honestly|basically|great|cool|nice|perfect|thanks|wait|look|listen|damn
        yes|no|sure|fine|right|already|finally|today|really|instead|again|quick
        por favor
        bitte
        thank you
        all right
        hold on
        come on
        by the way
        excuse me
        pardon me
        my apologies
        i am sorry
        sorry to bother|interrupt you
        one|another|last|quick [more|quick] thing|question
        i have|got a|one|another [quick|more|small] question
        i was thinking
        if possible
        if you do not mind
        if it is not too much trouble
        to be honest
        in that case
        for the avoidance of doubt
        before i|we|that [answer|respond|begin|start|continue|decide|reply] [this|that|it]
        before i|we go|move on
        prior to responding|answering
        before answering|that|responding|continuing
        for the|my homework|exam|test
        while i think|consider [about] [it|that|my] [answer]
        in the meantime|meanwhile
        meanwhile
        i think i
    """,
    "hedge": """
        i think|guess|believe|feel|suppose|mean [that]
    """,
    "request": """
        let me ask [you] [something|one|thing|this] [thing|first]
        can|may|could i ask [you] [something|one|thing|this|if|whether] [thing|first]
        mind
        puedes|podrias|puede [me|por|favor]
        kannst|konntest|wurdest du [mir] [bitte]
        peux|pourrais|veux tu [me|m]
        pouvez|pourriez vous [me]
        voce pode|poderia [me]
        puoi|potresti [mi]
        i feel like
        can|could|would|will|might|may you [please|kindly|maybe|perhaps|possibly|just|quickly|also]
        can|could|may|might|shall i|we [please|maybe|perhaps|possibly|just|also]
        would you be so|very kind [as] [to|and]
        would|could you please
        would you mind
        be so good|kind as to
        are you able to
        i|we want|need|wish|expect you [please] to
        i|we would|should like|love|prefer|want you to
        i|we [really|just|only|also] want|wish|need|like [to]
        i|we want|need to
        want|like|love to
        i|we would|should|wd|d [really|also|rather|much] like|love|prefer|want to
        i|we would rather
        i should|would be obliged|grateful|happy|glad if you would|could
        i would|should be grateful|obliged for
        i would appreciate [it] [if] [you] [would|could]
        i was wondering if|whether you could|would|might|can
        i wonder if|whether you could|would|might|can
        i request that [you]
        i propose that we
        i am going to
        i am here to
        i am trying to
        i came to
        i must|shall|should|will|might [have] [to] [ask]
        i have|need to [ask]
        i think|guess|suppose|feel [that] i|we should|need|must|will|would
        do you think you could|can
        do you think that|we|i
        is|would it [be] possible to|for|that
        is it ok|possible|fine|okay if i|we|you
        it would be nice|great|good|helpful if you could|would
        let us
        let me
        help me [to]
        how about we|i
        why do not we|you
        what about
        go ahead and
        time to
        further to our conversation [of] [yesterday]
        with a view to *
    """,
}

TAIL_INS = {
    "courtesy": """
        please|thanks|thx|tutor|teacher|bro|bruh|mate|dude|man|lol|haha|tbh|asap|rq|though|ok|sir
        thank you
        thanks a lot
        many thanks
        now|then|today|tonight|first|instead|already|here|again|though|anyway|yet
        for now|today|me|us|tonight
        right now|away
        real|very quick
        at this point|stage
        this evening|time|morning
        for the time being
        a bit|little
        so far
        any more
        anymore
        together
        with me
        if you can|please|could|like|would
        if possible
        if you do not mind
        if that is ok
        when you can
        little bit
        to date
        por favor
        per favore
        s'il te plait
        s'il vous plait
        bitte
        maintenant
        at all
        by the way
        for god's|gods|heaven's sake
    """,
}

EXPLETIVES = word_set("hell heck fuck damn damned fucking bloody freaking goddamn")
WH_WORDS = word_set("what which who whom whose when where why how")
AUXILIARIES = word_set(
    "is are was were am be do does did can could should would will shall may might must has have had"
)
POINTERS = word_set("it that this they these those he she")
PERSONS = word_set("i we you")
DETERMINERS = word_set("a an the my your its their our every each any some all two both")
PREPOSITIONS = word_set("in on at for to from of with by under about into")

# Real words one slip away from a word of command: never 'corrected'.
NEIGHBOURS = word_set("""
    step steps note notes node nodes plane planes state states stated stats text test quite quiet lean leans
    learns least leaves point points joint join joins trick track cause causes pauses paused pauser skips stops
    remains remain mine cover covers coarse store scope chart smart greet tank thing think things light sight
    weight height there these those reach each beach peach planet place trial trail angle angel modal scan send
    sends resets preset presets shows hits tasks mask risk range chance chances change changes charge switch
    stitch lesion lessen listen tests gaps maps taps goals coals topics tropic recap forget forgot forge reason
    season explains plains plain planned planner steep stoop start starts stare stairs repeat repeats report
    reports later layer player learner teacher clearer cleared summery summary quest request requests chapter
    charter options option action actions motion notion section course courses source sources marks makes
    task drill grill review preview where were here hear heat sport port short shot spot sort assess access
    across guide guides guess guest level lever never novel ready read reads real really roads board boards
""")

"""What people say before and after the matter. The language is that of patterns.py."""

LEAD_INS = {
    "greeting": """
        hi|hey|hello|yo|hiya|hallo|hola|bonjour|salut|ciao|oi [there|tutor|teacher|again|everyone]
        good|gd morning|evening|afternoon|day [tutor|teacher]
        dear tutor|teacher
        tutor|teacher|mate|bro|bruh|dude|man|professor|prof|sir
    """,
    "filler": """
        ok|so|well|um|umm|uh|uhh|uhm|hmm|hm|mm|ah|oh|ooh|ugh|argh|now|then|actually|also|and|but|just|first|anyway|btw
        sorry|please|kindly|maybe|perhaps|honestly|basically|great|cool|nice|perfect|thanks|wait|look|listen|damn|haha|hahaha|lol
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

"""Short forms and slips, and what they stand for."""

# with and without their apostrophe
_CONTRACTIONS = """
    what's=what is; whats=what is; wats=what is; who's=who is; whos=who is; where's=where is; wheres=where is; how's=how
    is; hows=how is; why's=why is; when's=when is; that's=that is; thats=that is; it's=it is; its=it is;
    there's=there is; here's=here is; i'm=i am; im=i am; you're=you are; youre=you are; we're=we are;
    they're=they are; i've=i have; ive=i have; we've=we have; you've=you have; i'd=i would; you'd=you would;
    we'd=we would; it'd=it would; i'll=i will; we'll=we will; you'll=you will; it'll=it will; that'll=that
    will; let's=let us; lets=let us; don't=do not; dont=do not; doesn't=does not; doesnt=does not;
    didn't=did not; didnt=did not; isn't=is not; isnt=is not; aren't=are not; arent=are not; wasn't=was not;
    wasnt=was not; weren't=were not; can't=can not; cant=can not; cannot=can not; couldn't=could not;
    couldnt=could not; won't=will not; wont=will not; wouldn't=would not; wouldnt=would not;
    shouldn't=should not; shouldnt=should not; haven't=have not; havent=have not; hasn't=has not; hadn't=had
    not; y'all=you
"""
_CHAT = """
    u=you; ur=your; r=are; pls=please; plz=please; plase=please; pleas=please; pleaze=please; thx=thanks;
    tnx=thanks; ty=thank you; tysm=thank you; thanx=thanks; kk=ok; okay=ok; okey=ok; okie=ok; alright=ok;
    wanna=want to; gonna=going to; gotta=have to; gimme=give me; lemme=let me; dunno=do not know; idk=i do
    not know; idek=i do not know; wat=what; wut=what; wht=what; wot=what; abt=about; bout=about;
    tmrw=tomorrow; tmr=tomorrow; tomorow=tomorrow; rn=right now; gtg=i have to go; g2g=i have to go; brb=be
    right back; diff=difference; doin=doing; ya=yes; yea=yes; yeah=yes; yep=yes; yup=yes; nah=no; nope=no;
    nop=no; bc=because; cuz=because; tho=though; cmon=come on; sth=something; prolly=probably;
    prob=probably; ques=question; qs=questions; hw=homework; practice=practise; practicing=practising;
    quizz=quiz; qiuz=quiz; quizes=quizzes
"""
# too short for the spelling rule
_SLIPS = """
    waht=what; hwat=what; whta=what; hwo=how; ohw=how; teh=the; hte=the; adn=and; taht=that; wnat=want;
    tel=tell; giv=give; gve=give; nxt=next; nex=next; shw=show; lern=learn; leran=learn; tech=teach;
    teech=teach; tach=teach; hlp=help; helo=hello; hllo=hello; halp=help; skp=skip; stp=stop; wy=why;
    knw=know; kno=know; wich=which; witch=which; wen=when; wher=where; tak=task; taks=task; lst=list;
    tets=test; hnt=hint; hin=hint; pla=plan; goall=goal; aks=ask
"""


def _pairs(table: str) -> dict[str, str]:
    """'u=you; ur=your' as a dictionary; an entry may stand on two lines."""
    entries = (entry.partition("=") for entry in " ".join(table.split()).split(";"))
    return {short.strip(): full.strip() for short, _, full in entries}


SPELLED_OUT = {**_pairs(_CONTRACTIONS), **_pairs(_CHAT), **_pairs(_SLIPS), "#": "number"}

"""The small words that make a question, and those that make no difference."""


def word_set(text: str) -> frozenset[str]:
    """The words of a text, to look words up in."""
    return frozenset(text.split())


# Words that count nowhere, neither in a phrase nor in a message.
LIGHT = word_set("""
    a an the some any please really just already maybe also quickly actually even kindly very quite so still
    currently simply
""")
SIGNS = frozenset("+-*/=<>%&|^~$")

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

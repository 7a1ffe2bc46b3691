"""Word lists that reading an answer needs: small words, negations, irregular forms."""

STOP = frozenset(
    "a an the of to is are was were be been being am do does did doing done has had having will would shall could may might "
    "i you he she it we they me him her us them my your his its our their this that these those there here "
    "and or but nor for with by at from as into onto than then so if when while which who whom whose what how why where "
    "because since although though however therefore thus also too very really quite just even still yet already "
    "in on up out over about through during between among upon per via "
    "s t d m re ve ll oh well ok okay um like such some any much get got gets getting "
    "itself themselves himself herself myself yourself ourselves let us lets etc ie eg".split()
)
# Words that say little by themselves count for a third.
LIGHT = frozenset(
    "have make use thing go put take come way happen cause reason think know tell mean say see look need want try "
    "should can must able other another kind sort lot part answer question explain show find keep give become turn "
    "start work include place people".split()
)
NEGATORS = frozenset(
    "not no never without neither nor none cannot nothing nobody nowhere non lack hardly barely unable".split()
)
HEDGES = frozenset("maybe perhaps probably might possibly guess suppose unsure".split())
PRONOUNS = frozenset("it they them this these those both he she its their theirs".split())
CLAUSE_WORDS = frozenset("but because so if when while then since although though however therefore whereas unless until".split())
# A negation passes through these to what follows: "not contained in a closed path".
PASSING = frozenset("contain have includ involv insid within part_of hold longer actual direct lot enough".split())

LABELLED = frozenset(
    "bulb bulbs switch option answer choice cup container box pan bottle letter graph point circuit group part step item".split()
)
AFTER_LABEL = frozenset("and or is was are because has had will does do would b c d e".split())

UNSTEMMED = frozenset("closed broken lit better best more less electricity".split())
_PAIRS = (
    "went:go gone:go goes:go grew:grow grown:grow froze:freeze frozen:freeze broke:broken kept:keep held:hold felt:feel "
    "found:find fell:fall fallen:fall gave:give given:give made:make took:take taken:take told:tell knew:know known:know "
    "thought:think saw:see seen:see said:say ate:eat eaten:eat drank:drink sank:sink sunk:sink rose:rise risen:rise "
    "stuck:stick lost:lose left:leave built:build bent:bend burnt:burn burned:burn led:lead met:meet ran:run sent:send "
    "shook:shake shone:shine sped:speed spent:spend spun:spin swam:swim threw:throw thrown:throw wore:wear worn:wear "
    "wrote:write written:write became:become began:begin begun:begin blew:blow blown:blow brought:bring bought:buy "
    "caught:catch chose:choose chosen:choose came:come drew:draw drawn:draw children:child people:person men:man "
    "women:woman feet:foot teeth:tooth mice:mouse leaves:leaf lives:live worse:bad worst:bad least:less most:more "
    "farther:far further:far furthest:far farthest:far bigger:big biggest:big hotter:hot hottest:hot closing:closed "
    "closes:closed closer:close closest:close connection:connect connections:connect separation:separate "
    "seperate:separate seperated:separate difference:different differences:different differ:different "
    "differently:different similarly:similar electrical:electric heavier:heavy heaviest:heavy lighter:light "
    "easier:easy easiest:easy higher:high highest:high lower:low lowest:low faster:fast fastest:fast slower:slow "
    "slowest:slow longer:long longest:long shorter:short shortest:short shortened:short shortens:short larger:large "
    "largest:large smaller:small smallest:small greater:great greatest:great harder:hard hardest:hard softer:soft "
    "softest:soft warmer:warm warmest:warm cooler:cool colder:cold coldest:cold darker:dark darkest:dark "
    "brighter:bright louder:loud quieter:quiet steeper:steep steepest:steep stronger:strong strongest:strong "
    "weaker:weak thicker:thick thinner:thin rougher:rough smoother:smooth wider:wide taller:tall tallest:tall older:old "
    "younger:young newer:new deeper:deep nearer:near sooner:soon quicker:quick earlier:early later:late tighter:tight "
    "looser:loose cleaner:clean"
)
IRREGULAR = dict(pair.split(":") for pair in _PAIRS.split())
NUMBER_WORDS = {
    "zero": "0", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9",
    "ten": "10", "eleven": "11", "twelve": "12",
}  # fmt: skip

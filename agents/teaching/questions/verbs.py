"""Common verbs of textbooks, in their base form: enough to find the verb of a plain sentence."""

from agents.teaching.words import word_set

VERBS = word_set("""
    absorb accept access accompany accomplish account accumulate achieve acquire act activate adapt add address adhere
    adjust adopt advance affect aggregate aid allow alter amplify analyze anchor announce answer appear apply approach
    arise arrange arrive ask assemble assess assign assist associate assume attach attack attempt attract automate
    average avoid balance base bear beat become begin behave believe belong bend benefit bind blend block boost branch
    break breathe breed bring bud build burn burst calculate call cancel capture carry catalyze cause change charge check
    chew choose circulate classify clean clear climb clot coat code coincide collapse collect collide colonize combine
    come communicate compare compensate compete complete comprise compress compute concentrate conclude condense conduct
    configure confirm connect conserve consider consist constitute constrict construct consume contain continue contract
    contrast contribute control convert convey cool coordinate copy correct correlate correspond cost count counter couple
    cover create cross cultivate cure cut cycle damage deal decay decide declare decline decompose decrease define deform
    degrade delay delete deliver demonstrate denature denote depend deplete deploy deposit derive descend describe design
    destroy detach detect determine develop deviate differ differentiate diffuse digest diminish direct disappear discard
    discover discuss disperse display disrupt dissociate dissolve distinguish distort distribute diverge divide do donate
    double draw drift drink drive drop dry eat eject elicit eliminate elongate emerge emit employ empty enable encircle
    enclose encode encounter end enforce engage engulf enhance ensure enter equal escape establish estimate evaluate
    evaporate evolve examine exceed exchange excite exclude excrete execute exert exhale exhibit exist exit expand expect
    expel expend experience explain exploit explore expose express extend extract face facilitate fail fall favor feature
    feed feel fertilize fight fill filter find finish fire fit fix flatten float flow fluctuate fly focus fold follow
    force form freeze function fuse gain gather generate germinate get give go govern grab group grow guarantee guide halt
    handle hang happen harden harm harness harvest hatch have hear heat help hide highlight hold host hunt identify ignore
    illustrate impact impair implement imply import improve include incorporate increase indicate induce infect infer
    inflate influence inform ingest inhabit inhale inherit inhibit initiate innervate insert inspect install insulate
    integrate interact interfere interpret interpolate intersect introduce invade involve isolate join jump keep kill know
    label lack land last launch lay lead leak learn leave lend lengthen let lie lift limit line link list listen live load
    locate look lose lower lubricate lyse maintain make manage manipulate map mark mask match mate matter mature maximize
    mean measure mediate meet melt merge metabolize migrate minimize mix moderate modify modulate monitor mount move
    multiply mutate name narrow navigate need neutralize normalize note nourish observe obtain occupy occur offer open
    operate oppose optimize orbit order organize originate outline outnumber overcome overlap overlie override own oxidize
    pack pair parse part participate pass pay penetrate perceive perform permit persist phosphorylate pick pinpoint place
    plan play plot point pollinate polymerize populate possess power precede predict prefer prepare present preserve
    prevent print proceed process produce program project promote propagate propel protect protrude prove provide publish
    pull pump push put qualify quantify raise randomize range reach react read rearrange reassemble recall receive
    recognize recombine record recover recruit recycle reduce refer refine reflect refuse regenerate regulate reject relate
    relax release rely remain remember remind remove render repair repeat repel replace replenish replicate report represent
    reproduce request require rescue resemble reserve reside resist resolve respond rest restart restore restrict result
    resume retain retract retrieve return reveal reverse ride ripen rise risk roll rotate rule run sail sample satisfy
    save say scale scan scatter search seal secrete secure see seek seem segment segregate select send sense separate serve
    set settle sever shape share shed shift shorten show shrink shut signal simplify simulate sink sit slide slip slow
    smooth solve sort span specify speed spend spin split spread sprout stabilize stack stand start state stay steer stem
    stick stimulate stop store straighten strengthen stretch strike struggle study subscribe succeed suck suffer suffice
    suggest suit summarize supply support suppress surround survive suspend sustain swap sweep swell swim swing switch
    synchronize synthesize tag take target taste teach tear tell tend terminate test thicken thin threaten thrive tie tilt
    touch trace track trade train transcribe transfer transform translate transmit transport trap travel treat trigger
    trust try turn twist undergo underlie understand undertake unfold unify unite unload unwind update upload use utilize
    validate vary vibrate view violate visualize wait wake walk want warm wash waste watch weaken wear weigh weight widen
    win work wrap write yield
    """)
IRREGULAR_PARTICIPLES = word_set(
    "been become begun bent bound born borne broken brought built bought caught chosen come cut done drawn driven eaten "
    "fallen fed felt fought found flown frozen given gone grown had heard held hidden hung kept known laid led left lent "
    "lost made meant met paid put read risen run said seen sent set shed shown shrunk shut sought spent spread split spun "
    "stood struck stuck sung sunk swept swollen swum taken taught thought thrown told torn understood undergone woken won "
    "worn wound written"
)
PAST_FORMS = word_set(
    "became began bent bound broke brought built bought came caught chose cut did drew drove ate fell fed felt fought found "
    "flew froze gave went grew had heard held hid hung kept knew laid led left lent lost made meant met paid put ran rose said "
    "saw sent set shed showed shrank shut sought spent split spun stood struck stuck sank swept swam took taught thought "
    "threw told tore understood underwent woke won wore wound wrote"
)
ADVERBS = word_set(
    "often never always still only just even almost rarely seldom soon now again already sometimes instead alone together "
    "once twice no longer most more less best well further both all each either not"
)
NOT_ADVERBS = word_set("family supply assembly anomaly only apply multiply rely reply imply fly")

"""What learners say about their to-dos. The language is that of patterns.py."""

ANYTIME = {
    "tasks": """
        remind me [to|about|of|that|at|on|in] *
        make remember|remind me [to] *
        reminder [to|for] *
        set|create|make|add [me|up|another] [new] reminder|alarm|reminders [*]
        do not let me forget [*]
        make sure i [do] [not] remember|forget *
        help me remember|not to|forget [forget] *
        ADD [me] [new|another|following] task to|called|named|titled *
        add|new [another|new|following] task *
        ADD [me] [new|another|this|that] to do [*]
        ADD * to|on|in|onto my [to|todo|task] [do|dos] LIST [*]
        ADD to my [to|todo|task] [do|dos] LIST [*]
        ADD * as [new] task|todo|reminder [*]
        ADD * to|on to do list [*]
        make|take|keep note [of|to|that] *
        record|note [down] that i am|must|need|have|should *
        note to self *
        todo *
        new todo *
        new task|reminder [*]
        my [open|current] TASK
        my to do [list]
        my to dos
        my todos
        my todo list
        todo|todos [list]
        my agenda
        to do list
        to dos
        tasks
        SHOW [me] [all|of] [my|our] [current] [OPEN] TASK|todos [*]
        SHOW [me] [all|of] my|our [current] [OPEN] LIST [*]
        SHOW [me] [all|of] my [OPEN] to do|dos [list] [*]
        SHOW [me] tasks what *
        what|which is|are on|in my [to|todo|task] [do|dos] list|agenda|plate|schedule|calendar [*]
        what|which is|are [all] my [OPEN] TASK [*]
        what|which is|are my to dos|do [*]
        what|which TASK do|are|is i|my|on|still|left|open|due [*]
        what have i [got] [still|left] [on|to|got] [my|do] [list] [*]
        what have i [got] on my list *
        what do|must i have|need to do [DAY] [*]
        what do i have to do
        what do i have on|for|DAY *
        what is left to do [*]
        what is due|open|outstanding [DAY|this|for] [*]
        what is due [*]
        do|have i have|got [*] TASK|reminders|to [do] [DAY|left|open|due]
        are there [OPEN] TASK [*]
        OPEN TASK [DAY]
        is there anything|something on my list [*]
        how many tasks|todos|reminders do|have|are i|left|there [*]
        FINISH [off] [my|number] TASK [number] <number> [*]
        FINISH [off] number <number> [as|is] [done|complete|completed|finished]
        FINISH [off] <number> one|task|item [as|off] [done|complete|completed|finished]
        FINISH * as done|complete|completed|finished
        FINISH * task|reminder|todo [as|off] [done|complete|completed|finished]
        FINISH * one off|as|task [done|complete]
        tick|check|cross|strike off|out *
        tick|check|cross|strike * off [my|list|of] [list|my] [list]
        take|get|scratch * off|from my [to] [do] list|tasks|agenda
        i [have] finished|completed|did|done * task|reminder|todo|tasks
        i [have] finished|completed|did|done task|number|item [number] <number> [*]
        i am done|finished with * task|reminder|todo
        done|finished with * task|todo|reminder
        done|finished with [task] number|task <number>
        task|number|item|todo [number] <number> is|was|done|complete [done|complete|completed|finished] [*]
        DROP [my|all|that] TASK [number|about|called|named] <number> [*]
        DROP [my|that] TASK about|called|named|with *
        DROP * TASK
        DROP number <number> [*]
        DROP <number> TASK
        DROP * from|off|on my [to|todo|task] [do|dos] list|agenda|tasks
        DROP all|everything [of] [my|on] [my|to] TASK|list [*]
        DROP my [to|todo|task] [do|dos] list
        get rid of * task|reminder|todo
        get rid of [task] number <number>
        undo|reopen|uncheck|restore * task|reminder [*]
        empty my [to] [do] list
        EDIT [my|that] TASK [number] <number> [*]
        EDIT number <number> to *
        EDIT * task|reminder|todo [to|from|by|until|till|for] [*]
        EDIT <number> task|item|todo [*]
        schedule * for|on|at|tomorrow|DAY [*]
        schedule|plan|arrange study|learning session|time|block [*]
        show ME tasks|list|todos|reminders
    """,
}

IDLE = {
    "tasks": """
        delete|remove|erase|drop|complete|finish|edit|update|change|rename|snooze|postpone|uncheck [number|task] <number> [*]
        delete|remove|erase|edit|snooze *
        deleting|removing * task|reminder|todo [*]
        <number> [one|two|three|task] [one|two|three|task] is|are done|finished|complete|completed
        both|all * are done|finished|completed
        that|it is done|finished [now]
        set|change|move due date|time [of|for] *
        [i] [do] not forget [to] *
        * my [OPEN] tasks|todos|reminders
        * my to do list
        SHOW|list [me] [all] [my] [OPEN] to dos
        i [have] to|need|must [to] * by|on|before|until|till DAY [*]
        i need|must|have [to] * by|on|before|until|till DAY [*]
        by|on|before|until DAY [morning|evening|night|afternoon] i need|must|have to *
        add *
        to do *
        task *
        ADD [me] [new|another|this|that] task [*]
        delete|remove|complete number|task <number>
        delete|remove|complete|finish * one
        mark * done|complete|completed|finished|off
        i [have] to remember to *
        i [need|must|have] [to] remember to *
        done|finished with * one
        SHOW [me] list
        i [have] finished|completed task|number <number>
        postpone|reschedule *
        keep track of *
        note [down] that *
        what is [left] to do [*]
        did|do i have something|anything to do [*]
        nudge|ping|alert|notify me *
        remember to|that|this *
        * thing is done|finished
        what was|am|were i supposed to do [*]
        what i have|need|must to do [*]
        what do i need|have|want to get done [*]
    """,
}

PENDING = {
    "tasks": """
        ADD [me] [new|another] task
        put|write|note * on|onto|in list
        i [must|should] [do] not forget [to] * remind me [*]
        * remind me later|tomorrow|tonight|then|again
    """,
}

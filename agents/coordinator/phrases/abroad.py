"""Common phrases in Spanish, French, German, Portuguese and Italian, without accents."""

ANYTIME = {
    "greet": """
        hola|ola|oi|bonjour|salut|bonsoir|hallo|moin|ciao|salve|servus|buongiorno|buonasera|coucou [tutor|profe|prof]
        buenos|buenas dias|tardes|noches
        guten|gute morgen|tag|abend
        bom|boa dia|tarde|noite
        gruss gott
    """,
    "thanks": """
        [muchas|muchisimas|mil] gracias [*]
        merci [beaucoup|bien] [*]
        danke [dir|schon|sehr|ihnen|vielmals] [*]
        vielen|herzlichen dank [*]
        obrigado|obrigada|valeu [*]
        [mille|tante] grazie [mille|tante] [*]
    """,
    "teach": """
        ensename|ensenarme|ensenar [SOBRE] {topic}
        puedes ensenarme [SOBRE] {topic}
        quiero|quisiera empezar|comenzar|continuar con {topic}
        quiero|quisiera|necesito|gustaria aprender|estudiar [SOBRE] [SOBRE] {topic}
        me gustaria aprender|estudiar [SOBRE] [SOBRE] {topic}
        explicame {topic}
        hablame de|sobre {topic}
        apprends|enseigne|apprenez moi [les|la|le] {topic}
        explique moi {topic}
        parle moi de|du|des {topic}
        j'aimerais|j'voudrais apprendre|etudier|comprendre [les|la|le] {topic}
        je voudrais|veux|souhaite|dois|aimerais apprendre|etudier|comprendre [les|la|le] {topic}
        bring|bringe mir [bitte] {topic} bei
        lehre mich {topic}
        [mir] {topic} beibringen|erklaren
        [mir] etwas uber {topic} beibringen|erklaren|erzahlen
        lass|lasst uns [mit] {topic} anfangen|lernen|beginnen|starten
        m'apprendre|m'enseigner|m'expliquer [les|la|le] {topic}
        ensenarme [SOBRE] {topic}
        erklare|erklar mir [bitte] {topic}
        ich mochte|will|wurde [gern|gerne|bitte] [etwas|mehr] uber {topic} lernen|wissen|erfahren
        ich mochte|will|wurde [gern|gerne|bitte] {topic} lernen|verstehen
        me ensina|ensine|explica|explique [sobre] [SOBRE] {topic}
        quero|queria|gostaria aprender|estudar [de] [SOBRE] {topic}
        gostaria de aprender|estudar [SOBRE] {topic}
        ensina|ensine me [sobre] {topic}
        insegnami|spiegami|insegnarmi|spiegarmi [SOBRE] {topic}
        voglio|vorrei imparare|studiare|capire [SOBRE] {topic}
        parlami di|del|della {topic}
    """,
    "quiz_me": """
        hazme|dame un|una quiz|examen|prueba|test|preguntas [de|sobre] {topic}
        hazme|dame preguntas|quiz|examen [de|sobre] {topic}
        hazme un quiz|examen|test
        haz|hacer un quiz|examen|test [de|sobre] {topic}
        preguntame [sobre|de] {topic}
        fais moi un quiz|test [sur|de] {topic}
        fais moi un quiz|test
        interroge moi [sur] {topic}
        mach|mache [mir|mit] [mir] ein quiz [uber|zu] {topic}
        frag mich [zu|uber] {topic}
        frag mich ab
        teste mich [zu|uber|in] {topic}
        me faz|faca um quiz|teste|perguntas [sobre|de] {topic}
        fammi|dammi un quiz|test|domande [su|di|sul] {topic}
        interrogami [su|sul|sui] {topic}
    """,
    "diagnose": """
        evalua|comprueba|prueba lo que se [de|sobre] {topic}
        evalua mi|mis nivel|conocimientos [*]
        evaluame [*]
        cual es mi nivel [*]
        cuales son mis lagunas|debilidades|puntos [*]
        estoy listo|lista|preparado|preparada para {topic}
        evalue mes|mon connaissances|niveau [*]
        quelles sont mes lacunes [*]
        quel est mon niveau [*]
        suis je pret|prete pour {topic}
        wo sind|liegen meine lucken|schwachen [*]
        was sind meine lucken|schwachen [*]
        teste mein|meine wissen|kenntnisse [*]
        prufe was ich weiss [*]
        bin ich bereit fur {topic}
        was weiss ich [noch] nicht [*]
        [ich] [will|mochte] [wissen] was ich [schon|noch] [nicht] kann|weiss
        avalia|avalie meu|o|me nivel|conhecimento|que [*]
        quais sao minhas|meus lacunas|fraquezas [*]
        valuta il|le mio|mie livello|conoscenze [*]
        quali sono le mie lacune [*]
        sono pronto|pronta per {topic}
    """,
    "plan": """
        que deberia|debo|puedo|tengo [que] aprender|estudiar|hacer [*]
        por donde empiezo|empezar|comienzo
        que sigue
        hazme un plan [*]
        cual es el siguiente|proximo tema [*]
        que tema [*]
        que me recomiendas|sugieres [*]
        necesito|quiero un plan [*]
        plan de estudio [*]
        ich brauche einen lernplan|plan [*]
        j'ai besoin d'un plan [*]
        was empfiehlst du [mir] [*]
        que me conseilles|recommandes tu [*]
        qu'est ce que je dois|devrais apprendre|etudier|faire [*]
        o que voce recomenda|sugere [*]
        cosa mi consigli [*]
        que dois|devrais je apprendre|etudier|faire [*]
        quoi apprendre|etudier [*]
        par ou commencer|je [commence]
        fais moi un plan [*]
        was soll|sollte|muss|kann ich als nachstes lernen|machen|tun
        was soll|sollte|muss|kann ich [jetzt|danach|nun] lernen|machen [*]
        was kommt als nachstes
        wo|womit soll|fange ich anfangen|an
        mach|mache|erstelle mir einen lernplan|plan [*]
        o que devo|deveria|posso estudar|aprender|fazer [*]
        por onde comeco|comecar
        cosa dovrei|devo|posso studiare|imparare|fare [*]
        che cosa dovrei|devo studiare|imparare|fare [*]
        da dove comincio|inizio|cominciare
    """,
    "goal": """
        mi objetivo|meta es *
        mon objectif|but est *
        mein ziel ist *
        meu objetivo e *
        il mio obiettivo e *
    """,
    "tasks": """
        recuerdame *
        anade|agrega|apunta * tarea|lista [*]
        anade|agrega|crea una tarea *
        muestrame|mostrar|ensename [mis] tareas
        mis tareas
        rappelle moi de|d *
        rappelle moi *
        ajoute une tache *
        montre moi mes taches
        mes taches
        erinnere|erinner mich *
        zeig|zeige [mir] meine aufgaben|todos|liste
        meine aufgaben
        setz|setze|schreib * auf meine|die liste
        neue aufgabe *
        fuge * aufgabe hinzu [*]
        erstelle eine aufgabe [*]
        crea una tarea [*]
        me lembra|lembre de|que *
        lembre me *
        adiciona|adicione uma tarefa *
        minhas tarefas
        mostra|mostre minhas tarefas
        ricordami *
        aggiungi * lista|attivita [*]
        mostrami le mie attivita
    """,
    "progress": """
        muestrame|ensename|dime mi progreso|puntuacion [*]
        mi progreso
        como voy
        cual es mi progreso|puntuacion
        montre moi ma|mes|mon progression|progres|score
        ou j'en suis
        ou en suis je
        mes progres
        wie weit bin ich [*]
        zeig|zeige [mir] meinen|mein fortschritt|stand
        mein fortschritt
        wie stehe ich [da]
        como estou indo
        meu progresso
        mostra|mostre meu progresso
        come sto andando
        i miei progressi
        mostrami i miei progressi
    """,
    "ask": """
        que es|son|significa|significan|quiere|hace *
        [y] cual es|son *
        como funciona|funcionan|se|puedo|hago|asi [*]
        por que [*]
        para que sirve *
        [me] puedes explicar|decir|ayudar *
        no entiendo que|como|la|el|los *
        quien|donde|cuando es|esta|fue|se *
        was ist|sind|bedeutet|bedeuten|heisst|macht|meinst|passiert *
        wie funktioniert|geht|macht|kann|heisst|lautet *
        warum|wieso|weshalb [*]
        wozu braucht|dient *
        kannst du [mir] [das|bitte] * erklaren
        wer|wo|wann ist|war|sind *
        welche|welcher|welches * ist|sind|hat *
        ich verstehe nicht was *
        c'est quoi *
        qu'est ce que|qui *
        que veut|signifie [dire] *
        comment fonctionne|marche|ca|on|faire|est [*]
        pourquoi [*]
        a quoi sert *
        peux tu|pouvez vous [m'expliquer|expliquer|me] *
        je ne comprends pas ce|la|le|les|pourquoi|comment *
        quelle|quel|qui|ou est *
        o que e|sao|significa|quer *
        [e] como funciona|assim|faco [*]
        pra|para que serve *
        voce pode explicar *
        nao entendi o que *
        qual e *
        che cos'e [*]
        che|cosa cosa|significa|e|vuol|sono [*]
        cos'e [*]
        come funziona|si|posso *
        perche
        puoi spiegare|spiegarmi *
        non capisco cosa|che|il|la *
    """,
    "hint": """
        [dame|necesito] una pista
        pista
        ayudame|ayuda [con|un] [esto|poco]
        [donne|moi] [moi] un indice
        indice
        aide moi
        [gib|ich] [mir|brauche] [einen|bitte] tipp|hinweis
        hilf mir
        [me] [da|de] uma dica
        dica
        [dammi|un] [un] suggerimento|aiuto|indizio
        aiutami
    """,
    "skip": """
        siguiente [pregunta]
        [proxima|saltar|salta|saltala|pasa|paso] pregunta
        saltar|paso|saltala
        question suivante
        suivant|suivante|passe|passer
        nachste|uberspringen [frage]
        nachste frage
        uberspring|uberspringe [die|diese] [frage]
        pular|pula|proxima [pergunta]
        proxima pergunta
        salta|saltare|prossima [domanda]
        prossima domanda
    """,
    "pause": """
        pausa [por] [favor]
        espera|esperame [un] [momento|segundo]
        un momento|momentito|segundo
        attends [une] [seconde|minute]
        une seconde|minute
        moment [mal|bitte]
        warte [mal|kurz]
        einen moment
        espera [um] [pouco|momento|segundo]
        um momento
        aspetta [un] [attimo|momento]
        un attimo
    """,
    "stop": """
        [ya] basta [por] [hoy|ahora]
        para|parar|termina|terminar|adios|salir
        por hoy es suficiente
        [on] arrete|arretons|arreter [la] [pour] [aujourd'hui]
        on arrete la pour aujourd'hui
        au revoir
        ich hore [jetzt] auf
        aufhoren|stopp|schluss|tschuss|ende
        schluss fur heute
        das reicht [fur] [heute]
        genug fur heute
        chega [por] [hoje]
        tchau
        basta [cosi|per] [oggi]
        basta per oggi
        arrivederci
    """,
    "show_question_again": """
        repite|repetir|repitela [la] [pregunta]
        [puedes] repetir|repite la pregunta
        cual era|es la pregunta
        no entiendo la pregunta
        repete|repetez [la] [question]
        peux tu repeter la question
        quelle etait la question
        je ne comprends pas la question
        [kannst] [du] [die] frage [bitte] [noch] [nochmal|einmal|wiederholen]
        wiederhole die frage
        wie war|lautet die frage
        ich verstehe die frage nicht
        repete|repita|repetir a pergunta
        qual era a pergunta
        ripeti|ripetere [la] domanda
    """,
    "help": """
        ayuda
        que puedes hacer
        aide
        que peux tu faire
        hilfe
        was kannst du [*]
        ajuda
        o que voce pode fazer
        aiuto
        cosa puoi fare
    """,
}

IDLE: dict[str, str] = {}

PENDING = {
    "answer": """
        no [lo] se
        no tengo [ni] idea
        ni idea
        no me acuerdo
        je ne sais pas
        je sais pas
        aucune idee
        keine ahnung
        [ich] weiss [es|ich] [nicht|das] [nicht]
        nao sei [*]
        nao faco ideia
        non lo so
        non lo
        non ne ho idea
    """,
}

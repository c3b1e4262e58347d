"""The words the offline engine knows in English.

Data only; ``vocabulary`` says what each pattern is for. Must not know what is done with them.
"""

from __future__ import annotations

from typing import Final

from bot.engines.offline.vocabulary import REFS, Words

EN: Final = Words(
    note=(
        r"^(?:please )?(?:note(?: down)?|memo|write down|jot down|keep in mind|"
        r"remember that)(?:\s+that)?[:,\s]+(?P<rest>.+)"
    ),
    idea=r"^(?:idea|thought)[:\s]+(?P<rest>.+)",
    task=(
        r"^(?:please )?(?:todo|to do|task|remember to|don'?t forget(?: to)?|i (?:need|have|must) to|"
        r"need to)[:\s]+(?P<rest>.+)"
    ),
    alarm=r"\b(?:alarms?|wake me)\b",
    remind=(
        r"(?:^|\b)(?:please |can you |could you )?(?:(?:set|create|make|add|schedule)(?: up)? (?:a |an |the |"
        r"me a |new |a new |my )*(?:reminder|alarm)s?(?: for me)?(?: (?:to|for|about|that))?|"
        r"remind me(?: (?:to|about|that|of))?|alert me(?: to)?|wake me(?: up)?)\b"
    ),
    add_to_list=r"^(?:please )?(?:add|put) (?P<thing>.+?) (?:to|on|in|into) (?:my |the )?(?P<list>[\w ]*list)\b",
    verbs=(
        r"^(?:buy|call|pay|send|email|pick up|book|return|renew|clean|wash|fix|get|write|finish|submit|order|"
        r"schedule|prepare|water|text|visit|check|mail|drop off|meet|ask|bring|take out|"
        r"cancel my subscription)\s+\S"
    ),
    happening=(
        r"\b(?:meeting|meet|call|dinner|lunch|breakfast|brunch|coffee|interview|dentist|doctor|appointment|"
        r"class|exam|test|trip|flight|birthday|concert|movie|party|deadline|wedding|gym|game|practice|lesson|"
        r"date|visit|event)\b"
    ),
    done=(
        rf"^(?:done|finished|completed?|mark(?: as)? done|check off)(?: with)?\s*(?P<ref>{REFS})$|"
        rf"^(?P<ref2>{REFS})\s*(?:is |are )?(?:done|finished|completed?)$|"
        rf"^mark (?P<ref3>{REFS}) (?:as )?(?:done|finished|complete)$"
    ),
    delete=rf"^(?:delete|remove)\s*(?P<ref>{REFS})$",
    edit=r"^(?:move|change|reschedule)\s+#?(?P<ref>\d{1,6})\s+to\s+(?P<rest>.+)",
    find=r"^(?:find|search(?: for)?|look up|look for)[:\s]+(?P<rest>.+)",
    spent=(
        r"\bhow much (?:money )?(?:did|have|do) i (?:spen[dt]|pa(?:y|id))|\b(?:spending|expenses|"
        r"spent)\b.*(?:total|\?$|month$|week$|today$|year$)|^(?:my )?(?:spending|expenses)\b"
    ),
    earned=r"\bhow much (?:did|have) i (?:earn|make|made)|\bincome\b.*(?:\?|total|month$|year$)",
    net=r"\b(?:net|balance)\b",
    agenda=(
        r"\bwhat(?:'s| is| are|s)?\b.*\b(?:on|due|happening|planned|scheduled|up|plans?|agenda|schedule|"
        r"calendar|reminders?|events?|appointments?)\b|^(?:my )?(?:agenda|schedule|calendar|plans)\b|"
        r"\bwhat do i have\b|\bdo i have (?:any|anything)\b"
    ),
    todo=(
        r"\b(?:what(?:'s| is|s) (?:left|open|still)|to-?do(?: list)?\s*\??$|open tasks|what do i (?:need|"
        r"have) to do|left to do|my tasks)"
    ),
    question=(
        r"\?|^(?:what|when|how|is|are|am|do|does|did|can|could|will|would|who|where|why|which|should|has|have|"
        r"was|were|tell|show|list|give|read|find out|let me know|i want to know|i need to know|"
        r"i would like to know|any|shall|if|review|check (?:if|whether|the status))\b"
    ),
    command=(
        r"^(?:please )?(?:can you |could you |i want you to )?(?:cancel|delete|remove|stop|turn|change|snooze|"
        r"postpone|move|reschedule|pause|resume|clear|dismiss|skip|edit|modify|update|undo|reset|start|"
        r"take off|check off|shut|quit|abort|silence|disable|extend|decrease|increase|shorten|subtract|"
        r"get rid of|check .* off)\b|\boff (?:from )?my\b"
        r"|\b(?:moved|postponed|rescheduled|changed|delayed|pushed back) (?:to|until|by)\b"
    ),
    unserved=(
        r"\b(?:weather|rain|snow|forecast|temperature|umbrella|play|song|music|playlist|album|joke|translate|"
        r"timer|countdown|turn (?:on|off)|lights?|brightness|volume|movie times?|showtimes?|rate this|"
        r"stars? (?:to|out)|stock price|exchange rate|directions|navigate|degrees|episode|hands up|"
        r"shuffle|reviews?|(?:operat\w+|opening|business) hours)\b"
    ),
    repeated=r"\b(?:every|daily|weekly|monthly|yearly|all (?:my|the|of))\b",
    income=r"\b(?:salary|paycheck|wages|bonus|income|refund|dividend|got paid)\b",
    fixed_number=(
        r"(?:\b(?:weight|height|weigh|bp|phone|ext|extension|code|password|pin|room|seat|account|flight|bus|version|"
        r"chapter|gate|id|no\.?|number|wifi|iphone|page|step|level|unit|apt|windows|ps)\b)\s*(?:is|:)?\s*$|remind"
    ),
    filler=(
        r"\b(?:i|my|the|on|in|for|of|did|have|spend|spent|money|much|how|total|at|a|an|so far|is|was|to|do|"
        r"paid?)\b"
    ),
    finish=r"^(?:done|finished|completed?)[:：\s]\s*(?P<rest>\S.*)",
    drop=r"^delete[:：\s]\s*(?P<rest>\S.*)",
    everything=r"\b(?:all|every|everything|alarms?|reminders?|list|calendar)\b",
    asked_of_money=r"\b(?:spending|expenses|have|did|paid|total)\b",
    small_talk="hi|hello|hey|thanks|thx|ok|okay|yes|no|bye|sorry|stop|false|true|approved|alarms?",
    topic="^to ",
    spent_behind=r"\b(?:spent|(?<!got )paid|for|cost)$",
    spent_on=r"^(?:on|for)\s+",
    before_time=r"(?:\b(?:on|at|by|from|for|until|due|in)\s+)+(?:the\s+)?$",
    frame=(
        r"^(?:(?:please|hey|ok|so|just|kindly|can you|could you|would you|will you|you can|can i|could i|may i|"
        r"i want you to|i(?:'d| would) like you to|i want to|i(?:'d| would) like to|i need you to|i need to|"
        r"go ahead and)[\s,]+)+|[\s,]*\b(?:please|thanks|thank you|for me)[.!?]*$|[.!?]+$"
    ),
    ringing=r"\b(?:alarms?|reminders?|wake[- ]?up calls?)\b",
    planned=r"\b(?:appointments?|events?|engagements?|plans?|meetings?|schedule|agenda|calendar)\b",
    listing=r"\b(?:(?:on|in|from|to) )?(?:(?:my|the|our) )?(?:[\w-]+ )?lists?\b|\b(?:to[- ]?dos?|tasks?|chores)\b",
    bare_list=(
        r"(?:(?:on|in|from|to) )?(?:(?:my|the|our|a) )?(?:(?:open|whole|entire) )?lists?|to[- ]?dos?(?: lists?)?|"
        r"tasks?|chores"
    ),
    timer=r"\btimers?\b",
    all_of=r"\b(?:all|every|everything|both|each)\b",
    cancel=(
        r"^(?:cancel|delete|remove|clear|dismiss|get rid of|turn off|switch off|shut off|disable|erase|drop|"
        r"scrap|scratch|call off|take off|stop|silence)\s+(?P<thing>.+)$|^(?:turn|switch|shut|call) (?P<thing2>.+) off$"
    ),
    off_list=(
        r"^(?:remove|delete|take|cross|scratch|strike|erase|drop|get rid of) (?P<thing>.+?) (?:off(?: of)?|from|"
        r"out of) (?:my |the |our )?(?P<list>[\w' -]{0,40}?list\b.*)$"
    ),
    tick=(
        r"^(?:check|tick|mark) off (?P<thing>.+?)(?: (?:off|from|on|in) (?:my |the )?[\w' -]{0,40}list)?$|"
        r"^(?:check|tick) (?P<thing2>.+?) off(?: (?:of )?(?:my |the )?[\w' -]{0,40}list)?$|"
        r"^(?:mark|set) (?P<thing3>.+?) (?:as )?(?:done|completed?|finished)(?: (?:on|in) .+)?$|"
        r"^i(?:'ve| have)? (?:just )?(?:finished|completed|done) (?P<thing4>.+)$|"
        r"^(?P<thing5>.+?) is (?:done|finished|complete)$"
    ),
    move=(
        r"^(?:change|move|reschedule|shift|postpone|push|update|modify|edit|adjust|delay) (?P<what>.+?) (?:back |up |"
        r"forward |out )?(?:to|until|till) (?P<rest>.+)$"
    ),
    change=r"^(?:change|move|reschedule|shift|postpone|update|modify|edit|adjust)\b",
    snooze=r"^snooze\b|^(?:pause|postpone|delay|push back) (?:(?:the|my|all|this|"
        r"that) )*(?:\w+ )?(?:alarms?|reminders?)\b",
    show=(
        r"^(?:what|which|"
        r"when|how|are|is|was|were|do|does|did|have|am|show|list|tell|give|read|review|see|view|display|"
        r"check|let me (?:see|know)|find|pull up|look up|like to (?:see|know|hear)|know|hear|any)\b"
    ),
    when_is=r"\b(?:when|what time|what day|which day|what date|due date)\b",
    edges=(
        r"^(?:\b(?:my|all|the|of|for|to|about|on|from|in|at|any|an?|set|this|that|every|with|me|called|named|titled|"
        r"i|you|have|"
        r"has|got|is|are|do|does|did|was|were|what|which|when|how|many|much|there|if|it|and|show|list|tell|give|"
        r"read|review|"
        r"see|view|display|check|whether|let|know|find|pull|up|look|would|like|want|need|kinds?|sort|anything|"
        r"something|"
        r"currently|exactly|time|day|open|saved|one|can|could|will|please|gets?|going)\b|['’]s\b|[\s,.?!'’])++|"
        r"(?:\b(?:my|all|the|of|for|to|about|on|from|in|at|set|i|you|have|has|that|is|are|do|did|one|scheduled|"
        r"going|go|goes|off|"
        r"called|an?|any|there|please|it|me|due|queried|saved|currently|ready|and|free|empty|like|this)\b|['’]s\b|"
        r"[\s,.?!'’])++$"
    ),
    negated=(
        r"^(?:please )?(?:do not|don'?t(?! forget)|never|no need to|stop (?:reminding|telling)|i (?:do not|don'?t|"
        r"won'?t|"
        r"will not|didn'?t|can'?t|cannot|no longer|never|shouldn'?t) )|\b(?:not any ?more|no longer needed)[.!]*$|"
        r"^not? "
    ),
    reported=(
        r"^[\w' ]{1,30}\b(?:said|says|told (?:me|us|him|her|them)|asked|wrote|texted|replied|goes)\b[:, ]*(?:that )?"
        r"[\"'“‘«]|^[\"“«].*[\"”»] (?:he|she|they|\w+) (?:said|says|wrote|asked)\b"
    ),
    length=(
        r"\b(?:(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty[- ]?five|"
        r"forty|ninety|half an) (?:minutes?|mins?|hours?|hrs?|seconds?)(?: and )?\s?)+"
    ),
    from_now="in {}",
    make=(
        r"^(?:set|create|make|add|put|start|produce|build|need|have)(?: up)? (?:me )?(?:(?:an?|the|my|new|another|"
        r"some|to|up|"
        r"on|in|right|now|items?|things?|something)\b ?)*"
        r"(?:(?P<ring>alarms?|reminders?)|(?P<list>[\w -]{0,20}?\b(?:(?:check|to-?do )?lists?|"
        r"checklist)))(?: right now| now)?$"
    ),
    categories=(
        (
            r"\b(?:breakfast|lunch|dinner|brunch|coffee|tea|snacks?|groceries|grocery|food|pizza|beer|"
            r"drinks?|meals?|eating|cafe|milk|bread)\b"
        ),
        r"\b(?:taxi|bus|metro|subway|train|gas|parking|uber|lyft|grab|fuel|flight|transport|fare)\b",
        r"\b(?:clothes|shoes|shopping|amazon|shirt|jacket)\b",
        r"\b(?:rent|electricity|internet|utilities|water bill|furniture|phone bill|household)\b",
        r"\b(?:movies?|cinema|games?|concert|netflix|tickets?|fun|karaoke)\b",
        r"\b(?:doctor|medicine|pharmacy|dentist|hospital|gym|health|vitamins?)\b",
        r"\b(?:tuition|books?|course|class|school|education)\b",
    ),
)  # fmt: skip

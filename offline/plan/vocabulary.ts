/** The vocabulary of the planner, as data. */

/** Verbs by what they ask for. Verbs of `save` may also write a given text or describe a file. */
const verbs = {
  ask: 'find|list|show|count|group|filter|rank|compute|calculate|sum|total|average|aggregate|compare|extract|select|identify|determine|analyze|analyse|report|query|tell|give|display|print|check|measure|join|detect|look|search|grep|tabulate|describe|read|view|inspect|sort|order|break',
  save: 'save|write|store|export|output|dump|put|record|create|make|generate|produce|prepare|build',
  append: 'append|add|prepend',
  edit: 'replace|substitute|rename|move|delete|remove|change|edit|update|insert|fix',
  write: 'copy|duplicate|backup',
  run: 'run|execute|invoke|start|commit|tag|switch to|check out',
  fetch: 'fetch|download|visit|open|retrieve|get|browse|load',
  summarise: 'summarise|summarize|condense|shorten',
  qualify:
    'round|ignore|exclude|include|limit|skip|treat|use|keep|restrict|format|leave|assume|consider|return|answer|break ties|make sure|ensure',
  question: "how|what|what's|which|who|when|where|is|are|does|do|did|has|have|why",
  other:
    'translate|email|mail|send|post|book|buy|call|explain|rewrite|paraphrase|draft|review|refactor|implement|install|deploy|push|pull|clone|plot|draw|chart|predict|forecast|classify|convert|compress|zip|unzip|upload|schedule|remind|notify|verify|test|validate|merge|split|clean|suggest|recommend|propose|improve|design|decide|choose|guess|think|research|investigate|learn|train|solve|debug|sign|submit|cancel|play|turn|set|archive|encrypt|decrypt|resize|crop|transcribe|proofread|outline|brainstorm|invent|compose',
};

/** What a verb asks for. */
export type VerbKind = keyof typeof verbs;

/** The kinds of all known verbs. */
export const kindOfVerb: ReadonlyMap<string, VerbKind> = new Map(
  (Object.keys(verbs) as VerbKind[]).flatMap((kind) =>
    verbs[kind].split('|').map((verb) => [verb, kind] as const),
  ),
);

const words = (text: string): ReadonlySet<string> => new Set(text.split('|'));

/** Verbs that are often nouns: after a comma or `and`, they start an action only if an object follows. */
export const alsoNouns = words(
  'list|show|count|group|filter|rank|sum|total|average|report|query|display|print|check|measure|join|search|order|sort|output|record|store|dump|export|run|start|copy|duplicate|backup|load|open|get|change|edit|update|fix|move|post|mail|email|book|call|draft|review|push|pull|plot|chart|draw|forecast|test|split|merge|design|guess|play|turn|set|archive|outline|crop|look|view|read|break|build|make|use|limit|return|answer|keep|round|format|leave|find',
);

/** Words for a result of earlier steps, or for the file that it is saved as. */
export const resultWords = words(
  'the|a|an|my|your|its|their|this|that|these|those|it|them|everything|all|both|of|and|as|in|with|for|from|new|full|short|brief|markdown|md|json|csv|tsv|text|txt|plain|file|format|combined|final|complete|whole|entire|two|three|four|result|results|answer|answers|output|outputs|findings|report|reports|summary|summaries|table|tables|list|lists|number|numbers|count|counts|total|totals|text|texts|content|contents|page|pages|data|lines|matches|response|earlier|previous|above|step|steps|title|titled|section|sections|heading|one|each|per|so|found|you|what|was|were|been|have|has|down|up|out',
);

/** Words around a text that the task itself contains. */
export const contentWords = words(
  'the|a|an|exact|exactly|text|texts|line|lines|word|words|content|contents|string|following|this|that|say|says|saying|containing|contains|with|reading|only|just|new|file|called|named|to|into|in|as|and|it|which|sentence|message|heading|note|at|its|end|of',
);

/** Words that only connect steps. */
export const connector =
  /^(?:(?:and|but|then|next|finally|lastly|last|first|firstly|second|secondly|third|thirdly|also|afterwards?|after that|subsequently|thereafter|(?:once|when|as soon as) (?:(?:that|this|it|everything) (?:is|was) |(?:that|this|it)'s )?(?:done|finished|complete)|in the end|now|so)(?: |$)(?:, ?)*)+/;

/** Words that put a step after the one before it. */
export const inOrder =
  /\b(?:then|next|finally|lastly|last|second|secondly|third|thirdly|afterwards?|after that|subsequently|thereafter|done|finished|complete|end)\b/;

/** Courtesy at the beginning of a step. These words are dropped from the steps. */
export const courtesy =
  /^(?:(?:please|kindly|(?:could|can|would|will) you(?: please)?|i(?:(?: woul|')d)? (?:want|need|like) you to|i want to|i need to|let's|let us|hi|hello|hey|thanks|thank you|(?:please )?do the following(?: (?:steps|things|tasks))?(?: in (?:this )?order)?|(?:here (?:are|is) )?(?:the |my |your )?(?:steps|tasks|instructions|task)(?= :)|(?:carry out|follow|perform|complete|execute|do) (?:the following|these)(?: \w+)? ?(?:steps|tasks|instructions|things)(?: in order)?)(?: |$)(?:[,:.!] ?)*)+/;

/** Courtesy at the end of a step. */
export const trailingCourtesy = /(?:^| )(?:, )*(?:please|for me|thanks|thank you)(?: [.!])*$/;

/** Requests to show results, which every answer does anyway. */
export const presentation =
  /^(?:(?:show|print|display|report|output|tell|give)(?: me)?(?: (?:back|to me))? (?:it|them|the (?:results?|answers?|output|findings?))(?: all)?|let me know|tell me|(?:tell|show) me (?:if|whether) (?:they|it|all|all tests|the tests) (?:pass(?:es|ed)?|works?|worked|fail(?:s|ed)?))(?: (?:to me|here))?(?: [.!?])*$/;

/** The beginning of a ban. */
export const negation = /^(?:do not|don't|never|must not|mustn't|no|without|avoid)(?: |$)/;

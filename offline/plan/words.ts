import { anyMark } from './atoms.ts';
import { letter } from './letters.ts';

/** The kind of a verb. `output` verbs save a result, write a given text, or describe the shape of a file. */
export type VerbKind =
  | 'data'
  | 'output'
  | 'append'
  | 'edit'
  | 'copy'
  | 'run'
  | 'fetch'
  | 'summarise'
  | 'qualify'
  | 'question'
  | 'other';

const table: Record<VerbKind, string> = {
  data: 'find|list|show|count|group|filter|rank|compute|calculate|sum|total|average|aggregate|compare|extract|select|identify|determine|analyze|analyse|report|query|tell|give|display|print|check|measure|join|detect|look|search|grep|tabulate|describe|read|view|inspect|sort|order|break',
  output:
    'save|write|store|export|output|dump|put|record|create|make|generate|produce|prepare|build',
  append: 'append|add|prepend',
  edit: 'replace|substitute|rename|move|delete|remove|change|edit|update|insert|fix',
  copy: 'copy|duplicate|backup',
  run: 'run|execute|invoke|start',
  fetch: 'fetch|download|visit|open|retrieve|get|browse|load',
  summarise: 'summarise|summarize|condense|shorten',
  qualify:
    'round|ignore|exclude|include|limit|skip|treat|use|keep|order|restrict|format|leave|assume|consider|return|answer|break ties|make sure|ensure',
  question: "how|what|what's|which|who|when|where|is|are|does|do|did|has|have|why",
  other:
    'translate|email|mail|send|post|book|buy|call|explain|rewrite|paraphrase|draft|review|refactor|implement|install|deploy|commit|push|pull|clone|plot|draw|chart|predict|forecast|classify|convert|compress|zip|unzip|upload|schedule|remind|notify|verify|test|validate|merge|split|clean|suggest|recommend|propose|improve|design|decide|choose|guess|think|research|investigate|learn|train|solve|debug|sign|submit|cancel|order|play|turn|set|archive|encrypt|decrypt|resize|crop|transcribe|proofread|outline|brainstorm|invent|compose',
};

const kinds = new Map<string, VerbKind>();
for (const [kind, verbs] of Object.entries(table)) {
  for (const verb of verbs.split('|')) if (!kinds.has(verb)) kinds.set(verb, kind as VerbKind);
}

/** Verbs that are often nouns: after a comma or `and`, they start an action only if an object follows. */
const alsoNouns = new Set(
  'list|show|count|group|filter|rank|sum|total|average|report|query|display|print|check|measure|join|search|order|sort|output|record|store|dump|export|run|start|copy|duplicate|backup|load|open|get|change|edit|update|fix|move|post|mail|email|book|call|draft|review|push|pull|plot|chart|draw|forecast|test|split|merge|design|guess|play|turn|set|archive|outline|crop|look|view|read|break|build|make|use|limit|return|answer|use|keep|round|format|leave|find'.split(
    '|',
  ),
);

/** Words between steps, without a meaning for a step. */
const connector =
  /^(?:(?:and|but|then|next|finally|lastly|last|first|firstly|second|secondly|third|thirdly|also|afterwards?|after that|once done|when done|in the end|now|so)\b[\s,]*)+/i;

/** Courtesy without an instruction: a closed list of the words that are left out of the steps. */
const courtesy =
  /^(?:(?:please|kindly|(?:could|can|would|will) you(?: please)?|i(?: would|'d)? (?:want|need|like) you to|i want to|i need to|let's|let us|hi|hello|hey|thanks|thank you|(?:please )?do the following(?: (?:steps|things|tasks))?(?: in (?:this )?order)?|(?:here (?:are|is) )?(?:the |my |your )?(?:steps|tasks|instructions|task)(?= *:)|(?:carry out|follow|perform|complete|execute|do) (?:the following|these)(?: \w+)? ?(?:steps|tasks|instructions|things)(?: in order)?)\b[\s,:.!]*)+/i;

/** The same at the end of a step. */
export const trailingCourtesy = /[\s,]*\b(?:please|for me|thanks|thank you)(?=[\s.!]*$)/i;

const connectorStarts = new Set(
  'and but then next finally lastly last first firstly second secondly third thirdly also afterward afterwards after once when in now so'.split(
    ' ',
  ),
);

const courtesyStarts = new Set(
  "please kindly could can would will i let let’s let's hi hello hey thanks thank do here the my your steps tasks instructions task carry follow perform complete execute".split(
    ' ',
  ),
);

const firstWord = (text: string) => /^[a-z'’]+/i.exec(text)?.[0].toLowerCase() ?? '';

/** A clause without courtesy at its beginning. Checks the first word before it compiles a long pattern. */
export const withoutCourtesy = (text: string): string =>
  courtesyStarts.has(firstWord(text)) ? text.replace(courtesy, '') : text;

/** A clause without the words that join it to the previous one. In `first order in a.csv`, `first` selects an order. */
export function withoutConnector(text: string): string {
  if (!connectorStarts.has(firstWord(text))) return text;
  const rest = text.replace(connector, '');
  const tie = text.slice(0, text.length - rest.length);
  return /\b(?:first|second|third|last)\s+$/i.test(tie) && startsWithNoun(rest) ? text : rest;
}

/** Whether a text has only words that join clauses. */
export const isConnector = (text: string): boolean => text.replace(connector, '').trim() === '';

/** `order in a.csv`, `count of …`: a verb without an object is a noun. */
function startsWithNoun(text: string): boolean {
  const verb = startingVerb(text)?.verb;
  if (verb === undefined || !alsoNouns.has(verb)) return false;
  const behind = text.slice(verb.length).trimStart();
  return (
    !objectStart.test(behind) ||
    /^(?:in|of|from|per|by|with|for|to|and|or|as|on|at)\b/i.test(behind)
  );
}

/** Requests to show what every answer shows. */
const presentation =
  /^(?:(?:show|print|display|report|output|tell|give)(?: me)?(?: (?:back|to me))? (?:it|them|the (?:results?|answers?|output|findings?))|let me know|tell me)(?: (?:to me|here))?[\s.!?]*$/i;

export const isPresentation = (clause: string): boolean =>
  /^(?:show|print|display|report|output|tell|give|let)\b/i.test(clause) &&
  presentation.test(clause);

const objectStart = new RegExp(
  `^(?:${anyMark}|\\d|["'(]|(?:the|a|an|all|any|each|every|both|its|their|my|this|that|these|those|them|it|how|which|what|who|where|when|whether|only|top|first|last|me|by|for|up|down|one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|as|to|into|everything|duplicate|duplicates|most|least|highest|lowest|ties)\\b|(?:${letter}|-)+(?: (?:${letter}|-)+){0,2} (?:in|of|from|per|by|with|where|that|whose|matching|containing|to|as|into)\\b)`,
  'i',
);

export interface VerbMatch {
  readonly verb: string;
  readonly kind: VerbKind;
}

const twoWords = new RegExp(`^(?:${letter}|')+ (?:${letter}|')+`);
const oneWord = new RegExp(`^(?:${letter}|')+(?!${letter}|[\\d_'-])`);

/** The known verb at the beginning of a clause. */
export function startingVerb(clause: string): VerbMatch | undefined {
  const two = twoWords.exec(clause)?.[0].toLowerCase();
  const pair = two === undefined ? undefined : kinds.get(two);
  if (two !== undefined && pair !== undefined) return { verb: two, kind: pair };
  const verb = oneWord.exec(clause)?.[0].toLowerCase() ?? '';
  const kind = kinds.get(verb);
  return kind === undefined ? undefined : { verb, kind };
}

/** `total rounded to 2 decimals`: a participle after a noun is not an action. */
const formOfNoun =
  /^\s+(?:column\s+)?(?:rounded|sorted|ordered|limited|formatted|shown|given|expressed|written|descending|ascending|desc|asc|is|are|being|highest|lowest|largest|smallest|most|least)\b/i;

/** Whether the text after a joint starts a new action. A bare `and` is a weak joint, `then` is a strong one. */
export function startsAction(rest: string, joint: 'and' | 'comma' | 'then'): boolean {
  const clause = withoutCourtesy(withoutConnector(rest));
  const match = startingVerb(clause);
  if (match === undefined) return false;
  if (match.kind === 'question')
    return joint !== 'and' && /^(?:how|what|which|who)\b/i.test(clause);
  if (joint === 'then') return true;
  if (alsoNouns.has(match.verb) && formOfNoun.test(clause.slice(match.verb.length))) return false;
  const isSure = joint === 'comma' && !alsoNouns.has(match.verb);
  return isSure || objectStart.test(clause.slice(match.verb.length).trimStart());
}

/** Longer texts contain more than an announcement or a refusal. */
const MAX_CHARS = 600;

const FILLER =
  /^(?:(?:ok(?:ay)?|sure|certainly|of course|great|alright|all right|understood|got it|perfect|thanks?(?: you)?|yes|now|so|well|first|next|then|finally|to (?:start|begin)(?: with)?)\b[\s,.!:–—-]*){0,4}/i;

const INTENTION =
  /^(?:i['’]?ll|i will|i['’]?m (?:going|about) to|i am (?:going|about) to|i (?:need|have|want|plan|intend) to|i(?: would|['’]d)(?: like to)?|i should|i can (?:start|begin)|let me|let['’]?s|let us|we['’]?ll|we will|we (?:need|have) to|we should|my (?:plan|next step|first step)|the (?:plan|next step|first step)|here(?:['’]s| is) (?:my|the) plan|starting|(?:reading|looking|checking|computing|running|writing) (?:at |into |the |a )*)\b/i;

/** Whether a text only announces work: "I'll start by looking at the data." */
export function isAnnouncement(text: string): boolean {
  const trimmed = text.trim();
  if (trimmed.length > MAX_CHARS) return false;
  if (/(?::|…|\.\.\.)$/.test(trimmed)) return true;
  return INTENTION.test(trimmed.replace(FILLER, ''));
}

const NEGATED =
  "(?:can(?:no|['’])?t|can ?not|could(?: not|n['’]t)|(?:am|['’]?m) (?:unable|not able) to|won['’]t|will not|(?:must|have to|need to) (?:decline|refuse)(?: to)?|(?:am|['’]?m) not (?:comfortable|allowed|permitted))";
const HELP =
  '(?:help|assist|comply|fulfil+|support|participate|engage|continue with|provide (?:that|this|assistance|help)|do (?:that|this|it)\\b|answer (?:that|this)|carry out (?:that|this)|complete (?:that|this|your) (?:request|task)|process (?:that|this|your) request)';

const REFUSAL = new RegExp(
  `\\bi ?${NEGATED}(?: \\w+){0,3} ${HELP}|\\bi(?: must| have to)? (?:decline|refuse)\\b|\\bi ?(?:am|['’]?m) (?:sorry|afraid)[ ,]+(?:but )?(?:i )?${NEGATED}|\\bagainst my (?:guidelines|policy|policies|programming)\\b`,
  'i',
);

/** Whether a short text declines the task: "I'm sorry, but I can't help with that." */
export function isRefusal(text: string): boolean {
  const trimmed = text.trim();
  return trimmed.length <= MAX_CHARS && REFUSAL.test(trimmed.slice(0, 300));
}

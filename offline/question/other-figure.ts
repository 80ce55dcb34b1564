import type { Token } from '../language/lexer.ts';
import { TaskError } from '../task-error.ts';
import { isParticiple } from './read/columns/names.ts';
import type { Query } from './sql/query.ts';
import { isAmount, type Table } from './table/schema.ts';

/** Explains why another figure or column may be meant than the one that a statement shows. Undefined if none is. */
export function otherFigure(
  tokens: readonly Token[],
  query: Query,
  table: Table,
): string | undefined {
  const text = tokens.map(({ norm }) => norm).join(' ');
  return ratioOf(text, query) ?? eventsOrThings(text, query, table) ?? timeForThing(text, query);
}

/** A quotient for each group, not two groups: `kilograms per hectare for each field`, `members per staff person at each branch`. */
function ratioOf(text: string, { groups, measures }: Query): string | undefined {
  const [direct] = /\bper \w+(?: \w+)? (?:for|of|in|on|at|by) (?:each|every)\b/.exec(text) ?? [];
  const [said] = /\bper \w+.*?\b(?:each|every|per|by)\b/.exec(text) ?? [];
  const isAmong = groups.some(({ column }) => column?.isNumber && isAmount(column));
  const isQuotient = isAmong ? groups.length > 1 || direct : direct && groups.length === 1;
  return said && isQuotient && measures.every(({ fn }) => fn !== 'ratio')
    ? `"${said} …" may mean a quotient or two groups. Say "divided by", or "per … and …".`
    : undefined;
}

const different = /\b(?:different|distinct|unique)\b/;
const passive = /\b(?:was|were|is|are|got|get|been) (\w+)/;
const active =
  /\bhow many \w+ (?:did (?!not\b)|(?:do|have|has) (?:we|i|they|you|he|she) (?!have\b|had\b|got\b))/;

/** What happens to a thing several times may be counted each time: `how many books were borrowed each month`. */
function eventsOrThings(text: string, { measures }: Query, { rows, path }: Table): undefined {
  const counted = measures.find(({ fn }) => fn === 'distinct');
  const own = counted?.of?.column;
  if (!counted || !own || different.test(text)) return;
  const isDone = isParticiple(passive.exec(text)?.[1] ?? '') || active.test(text);
  if (!isDone || (!own.link && own.values.size === rows)) return;
  throw new TaskError(
    'AMBIGUOUS',
    `"${counted.name}" may be counted once, or each time. Say "number of different ${counted.name}" or "number of rows in ${path}".`,
    { isRead: true },
  );
}

/** The time of a deed is not what it was done to: `what has Ann borrowed`, with a date in `borrowed`. */
function timeForThing(text: string, { subject, measures }: Query): string | undefined {
  const own = subject === 'rows' ? undefined : subject?.column;
  const isDeed = own?.isTime && own.words.some(isParticiple) && measures.length === 0;
  return isDeed && /\bwhat (?:has|have|had|did|do|does|was|were)\b/.test(text)
    ? `"what" does not ask for ${own.name}, which is a time. Name the column to show.`
    : undefined;
}

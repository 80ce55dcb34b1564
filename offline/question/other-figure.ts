import type { Token } from '../language/lexer.ts';
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

/** What happens to a thing several times may be counted each time: `how many books were borrowed each month`. */
function eventsOrThings(text: string, { measures }: Query, { rows }: Table): string | undefined {
  const [, verb = ''] = /\b(?:was|were|is|are|got|get|been) (\w+)/.exec(text) ?? [];
  const counted = measures.find(({ fn }) => fn === 'distinct');
  const own = counted?.of?.column;
  const isPlain = !/\b(?:different|distinct|unique)\b/.test(text);
  return counted && own && isPlain && isParticiple(verb) && (own.link || own.values.size < rows)
    ? `"${counted.name} ${verb}" may count one of them several times. Say "number of rows" or "number of different ${counted.name}".`
    : undefined;
}

/** The time of a deed is not what it was done to: `what has Ann borrowed`, with a date in `borrowed`. */
function timeForThing(text: string, { subject, measures }: Query): string | undefined {
  const own = subject === 'rows' ? undefined : subject?.column;
  const isDeed = own?.isTime && own.words.some(isParticiple) && measures.length === 0;
  return isDeed && /\bwhat (?:has|have|had|did|do|does|was|were)\b/.test(text)
    ? `"what" does not ask for ${own.name}, which is a time. Name the column to show.`
    : undefined;
}

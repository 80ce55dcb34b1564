import { rootOf } from '../../../language/verbs.ts';
import type { Condition } from '../../sql/query.ts';
import { nounsOf } from '../../table/schema.ts';
import type { Source } from '../grammar.ts';
import { membership } from './values.ts';

const wordsIn = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** Whether a message has all words in any form, also joined: `time out` for `timeout`. */
function hasAll(message: string, words: readonly string[]): boolean {
  const own = wordsIn(message);
  const roots = new Set(own.map(rootOf));
  return words.every(
    (word, at) =>
      roots.has(rootOf(word)) ||
      own.includes(`${word}${words[at + 1]}`) ||
      own.includes(`${words[at - 1]}${word}`),
  );
}

/** The order of the words in a message: `alpha called beta` is not `beta called alpha`. */
function orderOf(message: string, words: readonly string[]): string {
  const roots = wordsIn(message).map(rootOf);
  const places = words.map((word) => roots.indexOf(rootOf(word)));
  return words
    .map((_word, at) => at)
    .toSorted((a, b) => (places[a] ?? 0) - (places[b] ?? 0))
    .join();
}

/** Words before a thing that is counted or asked for, which the messages do not number. */
const counting =
  /^(?:many|much|which|what|whose|of|per|by|each|every|most|least|fewest|different)$/;

/**
 * The condition that a message of a log has all words that no rule read: `how often did the card reader time out`. Undefined
 * if no message has them, or all have.
 */
export function messagesWith(
  { table, tokens }: Source,
  open: readonly number[],
): Condition | undefined {
  const own = table.columns.find(({ name }) => name === 'message');
  const isOurs = tokens.some(({ norm }) => /^(?:i|we|us|my|our|you|your)$/.test(norm));
  // `how many errors did the engine have`, with engine.log
  const isFile = open.every((at) => nounsOf(table.path).includes(tokens[at]?.stem ?? ''));
  if (table.format !== 'log' || !table.isWhole || !own || isFile || isOurs) return undefined;
  const isEvent = open.every(
    (at) =>
      /^(?:word|number)$/.test(tokens[at]?.kind ?? '') &&
      !counting.test(tokens[at - 1]?.norm ?? ''),
  );
  // `log in` and `log out` differ
  const end = tokens.findLastIndex(({ kind }) => kind === 'word');
  const last = open.includes(end) ? '' : (tokens[end]?.norm ?? '');
  const words = [
    ...open.flatMap((at) => wordsIn(tokens[at]?.norm ?? '')),
    ...(/^(?:in|out|up|down|on|off|back)$/.test(last) ? [last] : []),
  ];
  const messages = [...own.values].filter((one) => hasAll(one, words));
  const orders = new Set(messages.map((one) => orderOf(one, words)));
  if (!isEvent || orders.size !== 1 || messages.length === own.values.size) return undefined;
  const found = membership(own, messages, '=');
  // In parentheses, it does not become an alternative to another condition on messages.
  return { sql: `(${found.sql})`, words: found.words };
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { blankIntent } from '../../../test/setup/blank-intent.ts';
import { sourceFiles } from '../../../test/sources/source-imports.ts';
import type { IntentStatus } from '../../contract/intent.ts';
import { awaitingAnswer, nextStatuses, openStatuses, transition } from './transitions.ts';

const statuses = Object.keys(nextStatuses) as IntentStatus[];

/** Every transition that is legal, as `from → to`. */
const legal = new Set([
  'proposed → proposed',
  'proposed → waiting',
  'proposed → started',
  'proposed → done',
  'proposed → denied',
  'proposed → failed',
  'waiting → proposed',
  'waiting → waiting',
  'waiting → started',
  'waiting → done',
  'waiting → denied',
  'waiting → failed',
  'started → proposed',
  'started → waiting',
  'started → done',
  'started → failed',
  'started → unknown',
  'unknown → started',
  'unknown → done',
  'unknown → denied',
  'unknown → failed',
]);

describe('the status of an intent', () => {
  const all = statuses.flatMap((from) => statuses.map((to) => ({ from, to })));

  it.each(all.filter(({ from, to }) => legal.has(`${from} → ${to}`)))(
    'may go from $from to $to',
    ({ from, to }) => {
      const intent = blankIntent({ status: from });
      expect(transition(intent, to, { rule: 'a rule' })).toEqual({
        ...intent,
        status: to,
        rule: 'a rule',
      });
    },
  );

  it.each(all.filter(({ from, to }) => !legal.has(`${from} → ${to}`)))(
    'never goes from $from to $to',
    ({ from, to }) => {
      const intent = blankIntent({ status: from });
      expect(() => transition(intent, to)).toThrow(`can't go from "${from}" to "${to}"`);
    },
  );

  it('is final once the intent is denied, done or failed', () => {
    expect(statuses.filter((status) => !openStatuses.includes(status))).toEqual([
      'denied',
      'done',
      'failed',
    ]);
  });

  it('stays unknown while a person is asked what happened', () => {
    const intent = blankIntent({ status: 'unknown' });
    expect(awaitingAnswer(intent)).toBe(intent);
    expect(awaitingAnswer(blankIntent()).status).toBe('waiting');
  });
});

describe('the code that writes the status of an intent', () => {
  const src = join(import.meta.dirname, '../..');

  const values = statuses.map((status) => `'${status}'`).join('|');
  const member = new RegExp(`(?<!readonly )\\bstatus:[^,;}|]*(?:${values})(?! *\\|)`, 'g');
  const shorthand = /(?<=\{[^{}]*\.\.\.[^{}]*)\bstatus(?=\s*[,}])/g;

  /** Properties `status` of new objects; types, comments and statuses of runs and attempts don't count. */
  const writesIn = (text: string): string[] => {
    const code = text.replace(/\/\*.*?\*\/|(?<!:)\/\/[^\n]*/gs, '');
    const written = [...(code.match(member) ?? []), ...(code.match(shorthand) ?? [])];
    return written.filter((one) => !one.includes("'completed'"));
  };

  /** Runs, subtasks and attempts share some of the words: only files that refer to intents are searched. */
  const knowsIntents = (text: string) => /\bIntentRecord\b|journal\.(save|saveSoon)\b/.test(text);

  it('is in one file only', () => {
    const found = sourceFiles(src).filter((file) => {
      const text = readFileSync(join(src, file), 'utf8');
      return knowsIntents(text) && writesIn(text).length > 0;
    });
    expect(found).toEqual(['broker/intent/transitions.ts']);
  });

  it.each([
    ["save({ ...intent, status: 'done' })", 1],
    ["const row = { ...intent, status: ok ? 'done' : 'failed' }", 1],
    ["return { status: isAsked ? 'waiting' : intent.status }", 1],
    ['save({ ...intent, status })', 1],
    ['const { status, ...rest } = intent', 0],
    ["{ status: outcome.ok ? 'completed' : 'failed' }", 0],
    ["  readonly status: 'done' | 'failed';", 0],
    ["  status: 'done' | 'failed';", 0],
    ["// status: 'done'", 0],
    ["if (intent.status === 'done') return", 0],
  ])('is found in %s', (text, count) => {
    expect(writesIn(text)).toHaveLength(count);
  });
});

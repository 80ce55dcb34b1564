import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { ioOf } from '../../../test/programs/recorded-io.ts';
import type { Approval } from '../../contract/approval.ts';
import { createStyle } from '../text/style.ts';
import { createTerminalApprover } from './terminal-approver.ts';

const question: Approval = {
  id: '01a1fcfe-ea69-775d-8aff-d8e8633cfcdb',
  runId: '01a1fcfe-e997-740b-b964-971142db847e',
  intentId: 'i1',
  subtaskId: 's1',
  capsuleId: 'clerk',
  kind: 'tool',
  question: 'Run npm test?',
  why: 'It runs a program.',
  details: 'terminal.write (tier 2)\nruns ["npm","test"] in .',
  capsuleReason: 'to see \u202eit',
  operation: 'terminal.write',
  target: 'npm test',
  tier: 2,
  costMicroUsd: 40_000,
  requestHash: 'f00d',
  workspace: '/home/ada/work',
  capsuleHash: 'c1',
  binding: '39467e88ae5f0000',
  policyVersion: 'p1',
  isForced: false,
  choices: ['approve', 'deny'],
  freeText: false,
  status: 'pending',
  answer: null,
  answeredBy: null,
  note: null,
  createdAt: '2026-11-21T12:00:00.000Z',
  expiresAt: null,
  answeredAt: null,
};
const never = new AbortController().signal;

/** A terminal that types the next line at every prompt. */
function terminal(
  typed: readonly (string | (() => void))[],
  rowOf: (id: string) => Approval = () => question,
) {
  const input = new PassThrough();
  const left = [...typed];
  const io = ioOf({ environment: {}, cwd: '/' }, { isTerminal: true, input });
  const stderr = (text: string) => {
    io.stderr(text);
    if (!/(: |\) )$/.test(text)) return;
    const line = left.shift();
    if (typeof line === 'function') line();
    else if (line === undefined) input.end();
    else input.write(`${line}\n`);
  };
  const approver = createTerminalApprover({
    io: { ...io, stderr },
    style: createStyle({}, false),
    approvals: {
      get: async (id) => rowOf(id),
      answer: () => Promise.reject(new Error('not sent')),
    },
    now: () => new Date('2026-11-21T12:00:00.000Z'),
  });
  const ask = (changes: Partial<Approval> = {}, signal = never) =>
    approver.ask({ ...question, ...changes }, signal);
  return { ask, approver, input, said: io.errors };
}

describe('a question at the terminal', () => {
  it('shows the numbers of choices, and accepts one of them', async () => {
    const choices = ['capsule:file-clerk', 'capsule:log-analyst', 'none'] as const;
    const { ask, said } = terminal(['?', '4', '2', '3']);
    const route = { kind: 'route', choices } as const;
    expect(await ask(route)).toMatchObject({ answer: 'capsule:log-analyst' });
    expect(said()).toContain('Which one? 1/2/3/e/s/?: ');
    expect(said()).toContain('2  log-analyst');
    expect(said()).toContain('"4" is not an answer to this question.');
    expect(await ask(route)).toMatchObject({ answer: 'none' });
  });

  it('shows all facts of the request, and marks the reason of the capsule as its own words', async () => {
    const { ask, said } = terminal(['n']);
    await ask({ expiresAt: '2026-11-21T12:05:00.000Z' });
    for (const part of [
      'Run npm test?',
      'It runs a program.',
      'terminal.write · tier 2 (execute or change something remote) · up to $0.04',
      'clerk, subtask s1',
      `${question.runId.slice(-8)} in /home/ada/work`,
      '(in 5 min 00 s)',
      'binding 39467e88ae5f',
      '  │ runs ["npm","test"] in .',
      'clerk says (its own words): "to see \\u202eit"',
    ]) {
      expect(said()).toContain(part);
    }
  });

  it.each([
    ['y', { answer: 'approve', by: 'terminal' }],
    [' YES ', { answer: 'approve', by: 'terminal' }],
    ['n', { answer: 'deny', by: 'terminal' }],
  ])('takes %s', async (line, given) => {
    expect(await terminal([line]).ask()).toEqual(given);
  });

  it('takes the reason of a denial with it', async () => {
    const given = { answer: 'deny', by: 'terminal', note: 'keep the first line' };
    expect(await terminal([' n keep the first line ']).ask()).toEqual(given);
    const { ask, said } = terminal(['n 1', '2']);
    expect(await ask({ kind: 'route', choices: ['capsule:a', 'none'] })).toMatchObject({
      answer: 'none',
    });
    expect(said()).toContain('"n 1" is not an answer to this question.');
  });

  it('asks again until it is answered, and explains its keys', async () => {
    const { ask, said } = terminal(['', 'perhaps', '?', 'n']);
    expect(await ask()).toMatchObject({ answer: 'deny' });
    expect(said()).toContain('"perhaps" is not an answer to this question.');
    expect(said()).toContain('Y  allow it always: edit pattern, scope and expiry first');
  });

  it('proposes the narrowest pattern for later runs, and asks until when and how often', async () => {
    const { ask, said } = terminal(['Y', 'capsule', '', '7d', '3']);
    expect(await ask()).toMatchObject({
      answer: 'approve',
      remember: {
        scope: 'capsule',
        pattern: 'argv:npm test',
        until: '2026-11-28T12:00:00.000Z',
        uses: 3,
      },
    });
    expect(said()).toContain('Enter = argv:npm test');
  });

  it('proposes only the exact request for a shell string', async () => {
    const details = 'terminal.write (tier 2)\nruns in a shell, in .:\nnpm test';
    expect(await terminal(['Y', 'capsule', '', '', '']).ask({ details })).toMatchObject({
      remember: { scope: 'capsule' },
    });
  });

  it('reports an invalid pattern and asks again', async () => {
    const { ask, said } = terminal(['Y', 'capsule', 'path:docs/**', '', '', 'y']);
    expect(await ask()).toEqual({ answer: 'approve', by: 'terminal' });
    expect(said()).toContain('a path: pattern says nothing about terminal.write');
  });

  it('does not offer to remember a forced question', async () => {
    const { ask, said } = terminal(['Y', 'N', 'y']);
    expect(await ask({ isForced: true })).toEqual({ answer: 'approve', by: 'terminal' });
    expect(said()).toContain('Approve? y/n/e/s/?/m:');
  });

  it.each([
    ['1', 'it_happened'],
    ['2', 'do_it'],
    ['3', 'abandon'],
  ])('offers the choices for an unknown outcome: %s', async (line, answer) => {
    const choices = ['it_happened', 'do_it', 'abandon'] as const;
    const { ask, said } = terminal(['y', line]);
    expect(await ask({ kind: 'unknown', isForced: true, choices })).toMatchObject({ answer });
    expect(said()).toContain('"y" is not an answer to this question.');
    expect(said()).toContain('    1  it happened: continue\n');
  });

  it('folds long requests, and accepts an approval only after showing the full request', async () => {
    const details = Array.from({ length: 100 }, (_, index) => `line ${index}`).join('\n');
    const { ask, said } = terminal(['y', 'y']);
    expect(await ask({ details })).toMatchObject({ answer: 'approve' });
    const [first = '', second = ''] = said().split('Approve?');
    expect(first).toContain('… 60 lines, 479 characters not shown');
    expect(first).not.toContain('line 99');
    expect(second).toContain('line 99');
    expect(second).toContain('Answer again.');
  });

  it('accepts a denial of a folded request', async () => {
    expect(await terminal(['n']).ask({ details: 'x'.repeat(50_000) })).toMatchObject({
      answer: 'deny',
    });
  });

  it('denies always for a run, as for later ones', async () => {
    const given = { answer: 'deny', by: 'terminal' };
    const remember = { scope: 'run', pattern: 'argv:npm test' };
    expect(await terminal(['N', 'run', '', '', '']).ask()).toMatchObject({ ...given, remember });
    const { ask, said } = terminal(['Y', '', 'N', 'always', 'n']);
    expect(await ask()).toEqual(given);
    expect(said()).not.toContain('Pattern?');
  });

  it('asks for the reason of a denial', async () => {
    const given = { answer: 'deny', by: 'terminal' };
    expect(await terminal(['m', 'too early']).ask()).toEqual({ ...given, note: 'too early' });
    expect(await terminal(['m', '']).ask()).toEqual(given);
  });

  it('shows the full request, and stays open if it is skipped', async () => {
    const { ask, said } = terminal(['e', 's']);
    expect(await ask({ details: 'x\n'.repeat(100) })).toBeUndefined();
    expect(said()).toContain(`capstan approvals deny ${question.id.slice(-8)}`);
  });

  it('stays open at the end of the input, and shows how to answer it later', async () => {
    const { ask, said } = terminal([]);
    expect(await ask()).toBeUndefined();
    expect(said()).toContain(`capstan approvals deny ${question.id.slice(-8)}`);
  });

  it('closes when the question is answered elsewhere, and shows by whom', async () => {
    const elsewhere = new AbortController();
    const answered: Approval = {
      ...question,
      status: 'answered',
      answer: 'deny',
      answeredBy: 'cli',
      answeredAt: '2026-11-21T12:00:07.000Z',
      note: 'keep it',
    };
    const { ask, approver, said } = terminal(['?', () => elsewhere.abort()], () => answered);
    expect(await ask({}, elsewhere.signal)).toBeUndefined();
    expect(said()).toContain(
      '"deny" was answered by cli at 2026-11-21 12:00:07 UTC, saying "keep it"',
    );
    expect(approver.hasShown(question.id)).toBe(true);
  });

  const ofCapsule = {
    kind: 'question',
    operation: 'ask_person',
    tier: 0,
    question: 'clerk asks: Which column is the date?',
    why: 'The capsule reads your answer. Do not type keys or passwords.',
    details: '',
    choices: ['order_date', 'approve'],
  } as const;

  it('of a capsule takes the number of a choice, and does not look like an approval', async () => {
    const { ask, said } = terminal(['', 'y', '3', '2']);
    expect(await ask(ofCapsule)).toEqual({ answer: 'approve', by: 'terminal' });
    expect(said()).toContain(
      '? clerk asks: Which column is the date?\n  1 order_date\n  2 approve\n',
    );
    expect(said()).toContain('Do not type keys or passwords.');
    expect(said()).toContain('  1 or 2, or a choice: ');
    expect(said()).toContain('"y" is not an answer to this question.');
    expect(said()).toContain('There is no choice 3.');
    expect(said()).not.toMatch(/Approve\?|tier 0|up to/);
  });

  it.each([
    ['2', 'approve'],
    [' order_date ', 'order_date'],
    ['Order_Date', 'order_date'],
    ['y', 'y'],
    ['the newer of both', 'the newer of both'],
  ])('of a capsule takes %j as %j if it allows free text', async (line, answer) => {
    const { ask, said } = terminal([line]);
    expect(await ask({ ...ofCapsule, freeText: true })).toEqual({ answer, by: 'terminal' });
    expect(said()).toContain('  1 or 2, or your own words: ');
  });

  it('of a capsule takes no digit of a choice that does not exist, unless its choices are numbers', async () => {
    const { ask, said } = terminal(['4', '0', '2', '4']);
    const open = { ...ofCapsule, freeText: true };
    expect(await ask(open)).toMatchObject({ answer: 'approve' });
    expect(said()).toMatch(/There is no choice 4\.[\s\S]*There is no choice 0\./);
    const sizes = { ...open, choices: ['10 rows', '20 rows'] };
    expect(await ask(sizes)).toMatchObject({ answer: '4' });
  });

  it('of a capsule shows all its lines, with invisible characters escaped', async () => {
    const { ask, said } = terminal(['fine']);
    const details = 'First\nsecond \u202e line';
    await ask({ ...ofCapsule, details, choices: [], freeText: true });
    expect(said()).toContain('  │ First\n  │ second \\u202e line\n');
    expect(said()).toContain('  Your answer: ');
  });

  it('waits for the previous question', async () => {
    const { ask, said } = terminal(['y', 'n']);
    const both = await Promise.all([ask(), ask({ id: 'second', question: 'Run npm publish?' })]);
    expect(both.map((given) => given?.answer)).toEqual(['approve', 'deny']);
    expect(said().indexOf('npm publish')).toBeGreaterThan(said().indexOf('Approve?'));
  });
});

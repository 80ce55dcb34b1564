import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { addRun, brokerPartsOf, policyWith, runScopeOf } from '../../../test/setup/broker-parts.ts';
import { temporaryDatabase } from '../../../test/setup/temporary-database.ts';
import type { Answer, Approval } from '../../contract/approval.ts';
import type { ToolCallResult } from '../../contract/wire/coordinator-messages.ts';
import type { Db } from '../../db/open-database.ts';
import { createRedactor } from '../../policy/secrets/redact.ts';
import { toolbox } from '../../tools/toolbox.ts';
import { createBroker } from '../answer.ts';

const SECRET = 'a-very-long-and-secret-token';

let dir: string;
let db: Db;
beforeEach(() => {
  ({ dir, db } = temporaryDatabase());
  writeFileSync(join(dir, 'notes.md'), 'one\n');
  addRun(db, 'run-1');
});

const GRANTS = new Map([
  ['file_io', { paths: ['**'] }],
  ['terminal', { commands: ['**'] }],
  ['python_exec', {}],
]);

/** A person who denies everything, from this question on. */
function setUp(given: Omit<Answer, 'binding'> = { answer: 'deny', by: 'terminal' }, from = 1) {
  const asked: Approval[] = [];
  const approver = {
    async ask(question: Approval) {
      asked.push(question);
      return asked.length < from ? undefined : given;
    },
  };
  const parts = brokerPartsOf(db, { tools: toolbox, approver, redactor: createRedactor([SECRET]) });
  const policy = policyWith();
  const run = runScopeOf({ id: 'run-1', workspace: dir, policy }, GRANTS);
  const broker = createBroker(parts);
  const tool = async (name: string, args: Record<string, unknown>) => {
    const intent = { type: 'tool_call_intent', tool: name, args, reason: '' } as const;
    return (await broker.answer(intent, run.coordinator)) as ToolCallResult;
  };
  return { tool, asked };
}

const write = { operation: 'write', path: 'notes.md', content: 'two\n' };
const shell = (command: string) => ({ command, access: 'write' });

describe('a denial by a person', () => {
  it('reaches the capsule with its note, without secrets and bounded', async () => {
    const note = `keep the first line, ${SECRET} ${'x'.repeat(1_900)}`;
    const { tool } = setUp({ answer: 'deny', by: 'cli', note });
    const { error } = await tool('file_io', write);
    expect(error?.code).toBe('INTENT_DENIED');
    expect(error?.message).toContain('denied by a person: keep the first line, ');
    expect(error?.message).not.toContain('Once allowed');
    expect(error?.message).not.toContain(SECRET);
    expect(error?.message.length).toBeLessThan(1_400);
  });

  it('that is remembered is named to the capsule whose open question it also answers', async () => {
    const remember = { scope: 'run', pattern: 'exact:', expiresAt: null, maxUses: null } as const;
    const { tool, asked } = setUp({ answer: 'deny', by: 'cli', remember }, 2);
    const replies = await Promise.all([tool('file_io', write), tool('file_io', write)]);
    expect(asked).toHaveLength(2);
    const messages = replies.map(({ error }) => error?.message ?? '');
    expect(messages[1]).toContain('A person denied it.');
    expect(messages[0]).toMatch(/A remembered answer \([\w-]+\) denies it\.$/);
  });

  it('without a note only says that a person denied it', async () => {
    const { error } = await setUp().tool('file_io', write);
    expect(error?.message).toContain('A person denied it.');
  });

  it.each<[string, string, Record<string, unknown>]>([
    ['a shell text', 'terminal', shell('echo two > notes.md')],
    ['an argv', 'terminal', { argv: ['tee', './notes.md'], access: 'write' }],
    ['a program', 'python_exec', { code: "open('notes.md', 'w').write('two')", access: 'write' }],
    ['a pattern', 'terminal', shell('rm *.md')],
    ['a deletion', 'file_io', { operation: 'delete', path: './notes.md' }],
    ['a move', 'file_io', { operation: 'move', path: 'notes.md', to: 'old.md' }],
  ])('is named in the question about the same file by %s', async (_what, name, args) => {
    const { tool, asked } = setUp({ answer: 'deny', by: 'terminal', note: 'keep it' });
    await tool('file_io', write);
    await tool(name, args);
    expect(asked).toHaveLength(2);
    expect(asked[0]?.why).not.toContain('before');
    expect(asked[1]?.why).toContain(
      'You denied file_io.write of the same file before (notes.md), saying "keep it".',
    );
    expect(asked[1]?.details).toContain('Denied before: Allow clerk to change notes.md?\n');
    expect(asked[1]?.details).toContain('+two');
  });

  it('of a command is named when the file is deleted or written in another way', async () => {
    const { tool, asked } = setUp();
    await tool('terminal', { argv: ['rm', 'notes.md'], access: 'write' });
    await tool('python_exec', { code: 'import os\nos.remove("notes.md")', access: 'write' });
    expect(asked[1]?.why).toContain('You denied terminal.write of the same file before (notes.md)');
    expect(asked[1]?.details).toContain('Denied before: Allow clerk to run rm notes.md?');
  });

  it('of a file that does not exist yet is named, too', async () => {
    const { tool, asked } = setUp();
    await tool('file_io', { operation: 'write', path: 'Makefile', content: 'all:\n' });
    await tool('terminal', shell('printf all: > Makefile'));
    expect(asked[1]?.why).toContain('of the same file before (Makefile)');
  });

  it('is not named in questions about other files', async () => {
    writeFileSync(join(dir, 'other.md'), 'one\n');
    const { tool, asked } = setUp();
    await tool('file_io', write);
    await tool('file_io', { ...write, path: 'other.md' });
    await tool('terminal', shell('rm third.md'));
    expect(asked.map(({ why }) => why.includes('denied'))).toEqual([false, false, false]);
  });
});

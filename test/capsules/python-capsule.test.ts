import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { IntentReply } from '../../src/contract/wire/coordinator-messages.ts';
import type { Intent } from '../../src/contract/wire/protocol.ts';
import { noSecrets } from '../../src/policy/secrets/redact.ts';
import { Manifest } from '../../src/registry/manifest/manifest.ts';
import { runCapsule } from '../../src/runtime/runner.ts';
import { bare } from '../../src/runtime/sandbox/levels/bare.ts';
import { aRequest, type RequestChanges } from './request.ts';

const dir = join(import.meta.dirname, '../../examples/python-capsule');
const hasPython = existsSync('/usr/bin/python3') || existsSync('/bin/python3');
const manifest = Manifest.parse(JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8')));

async function run(changes: RequestChanges, reply: Partial<IntentReply>) {
  const intents: Intent[] = [];
  const response = await runCapsule({
    clean: noSecrets.redact,
    capsule: manifest.id,
    dir,
    entrypoint: manifest.entrypoint,
    sdkPath: '',
    request: aRequest(changes),
    onIntent: async (intent) => {
      intents.push(intent);
      return { type: 'tool_call_result', ok: true, ...reply } as IntentReply;
    },
    sandbox: bare,
    timeoutMs: 20_000,
    signal: new AbortController().signal,
  });
  return { response, intents };
}

describe.skipIf(!hasPython)('the Python capsule (skipped without python3)', () => {
  it('asks for the file that the task names, and counts its words', async () => {
    const content = 'To be, or not to be: été\n';
    const { response, intents } = await run(
      { task: 'Count the words in docs/notes.txt, please' },
      { result: { path: 'docs/notes.txt', content, bytes: 26, truncated: false } },
    );
    expect(intents).toMatchObject([
      { tool: 'file_io', args: { operation: 'read', path: 'docs/notes.txt' } },
    ]);
    expect(response).toMatchObject({
      status: 'ok',
      result: {
        text: 'docs/notes.txt has 7 words, 5 different ones.',
        data: {
          total: 7,
          different: 5,
          top: [{ word: 'to', count: 2 }, { word: 'be', count: 2 }, {}, {}, {}],
        },
      },
    });
  });

  it('passes on why it was not given the file', async () => {
    const error = { code: 'PATH_PROTECTED', message: 'no' };
    const { response } = await run({ task: 'count the words of a.md' }, { ok: false, error });
    expect(response).toMatchObject({ status: 'error', result: error });
  });

  it.each([
    'count sheep',
    'Rename notes.md to protocol.md',
    'Translate notes.md to German',
    'Delete the section Links from notes.md',
    'Extract all email addresses from notes.md into emails.txt',
    'Count the words in notes.md and minutes.md',
    'Count the 3 longest words in notes.md',
    'Count the words in notes.md without the links',
    'Show notes.md',
  ])('declines other tasks: %s', async (task) => {
    const { response, intents } = await run({ task }, {});
    expect(response).toMatchObject({ status: 'error', result: { code: 'NOT_UNDERSTOOD' } });
    expect(intents).toEqual([]);
  });

  it('lists the most frequent words if requested', async () => {
    const content = 'to be or not to be\n';
    const { response } = await run(
      { task: 'Which words are most frequent in a.md?' },
      { result: { path: 'a.md', content, bytes: 19, truncated: false } },
    );
    expect(response).toMatchObject({
      result: {
        text: 'a.md has 6 words, 4 different ones. Most frequent: to (2), be (2), or (1), not (1).',
      },
    });
  });
});

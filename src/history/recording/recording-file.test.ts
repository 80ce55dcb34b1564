import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStores } from '../../coordinator/store/open-stores.ts';
import { canonicalHash } from '../../platform/text/canonical-hash.ts';
import { createRedactor, noSecrets } from '../../policy/secrets/redact.ts';
import { runCapsule } from '../../runtime/runner.ts';
import { bare } from '../../runtime/sandbox/levels/bare.ts';
import { replayRun } from '../replay/replay-run.ts';
import type { RecordedCapsule, Recording } from './recording.ts';
import { readRecording, writeRecording } from './recording-file.ts';

const SECRET = 'sk-0123456789abcdef0123456789';

const capsule: RecordedCapsule = {
  id: 'poet',
  hash: 'h',
  origin: 'personal',
  program: 'shim',
  manifest: null,
  overlay: null,
};

const recording = (changes: Partial<Recording> = {}): Recording => ({
  format: 'capstan-recording',
  version: 1,
  capstan: '0.1.0',
  run: {
    id: 'r1',
    sessionId: 's',
    task: `Say ${SECRET}`,
    workspace: '/nowhere',
    provider: 'offline',
    isolation: 'none',
    options: { concurrency: 1e9 },
    status: 'completed',
    reason: null,
    answer: 'x',
    error: null,
    seed: '',
    policy: {},
    policyVersion: '',
    wish: { namedCapsule: 'poet', namedHosts: [] },
    forkedFrom: null,
    forkedAt: null,
    createdAt: '2026-01-01T00:00:00.000Z',
    endedAt: null,
  },
  subtasks: [],
  attempts: [
    {
      id: 'a1',
      subtaskId: 's1',
      number: 1,
      capsuleId: 'poet',
      capsuleHash: 'h',
      status: 'completed',
      reason: null,
      error: null,
      request: {},
      response: {},
      record: [],
    },
  ],
  intents: [],
  files: [],
  capsules: [capsule],
  ...changes,
});

const write = (one: Recording) => writeRecording(one, createRedactor([SECRET]));

/** What somebody writes by hand, with hashes that fit. */
function forged(content: Record<string, unknown>): string {
  const parts = ['run', 'subtasks', 'attempts', 'intents', 'files', 'capsules'];
  const sha256 = Object.fromEntries(
    parts.map((part) => [part, canonicalHash(content[part] ?? null)]),
  );
  return JSON.stringify({ ...content, sha256: { ...sha256, whole: canonicalHash(content) } });
}

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'capstan-recording-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe('the text of a recording', () => {
  it('is read back as it was, but for secrets', () => {
    const text = write(recording());
    expect(text).not.toContain(SECRET);
    expect(readRecording(text, 'x').run.task).toMatch(/^Say \[secret/);
    expect(readRecording(text, 'x').attempts).toEqual(recording().attempts);
  });

  it('is refused if it was changed outside of its hashed parts', () => {
    const text = write(recording()).replace('"capstan": "0.1.0"', '"capstan": "9.9.9"');
    expect(() => readRecording(text, 'x')).toThrow('it was changed after it was written');
  });

  it.each([
    ['a capsule id that leads out of its folder', { capsules: [{ ...capsule, id: '../../x' }] }],
    ['a subtask without its fields', { subtasks: [{ id: 's1' }] }],
    ['an invalid hash of a request', { intents: [{ id: 'i1', requestHash: 'x' }] }],
  ])('is refused with %s, even if its hashes fit', (_, changes) => {
    const text = forged({ ...recording(), ...changes });
    expect(() => readRecording(text, 'x')).toThrow("x can't be used as a recording");
  });

  it('is refused if it is nested deeper than anything that is hashed', () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    const text = `{"format":"capstan-recording","version":1,"run":${deep},"sha256":${JSON.stringify(
      {
        run: '',
        subtasks: '',
        attempts: '',
        intents: '',
        files: '',
        capsules: '',
        whole: '',
      },
    )}}`;
    expect(() => readRecording(text, 'x')).toThrow("x can't be used as a recording");
  });
});

describe('a capsule that is made from a recording', () => {
  const manifest = (changes: object) =>
    JSON.stringify({
      id: 'poet',
      name: 'Poet',
      version: '1.0.0',
      description: 'Writes.',
      entrypoint: ['node', 'entrypoint.cjs'],
      grants: { tools: {}, services: [] },
      task_kinds: [{ name: 'work', mode: 'agentic', description: 'Works.' }],
      ...changes,
    });
  const replay = (changes: Partial<RecordedCapsule>) =>
    replayRun(recording({ capsules: [{ ...capsule, ...changes }] }), {
      installed: new Map(),
      sdk: join(dir, 'none.cjs'),
      makeStores: (folder) => openStores(folder, { redactor: noSecrets }),
      runCapsule: (options) => runCapsule({ ...options, sandbox: bare }),
      signal: new AbortController().signal,
    });

  it.each([
    ['a shell', ['sh', '-c', 'touch "$0"/pwned', 'entrypoint.cjs']],
    ['other arguments', ['node', '-e', '1', 'entrypoint.cjs']],
    ['another file', ['node', 'manifest.json']],
  ])('starts nothing but our own shim: %s is refused', async (_, entrypoint) => {
    await expect(replay({ manifest: manifest({ entrypoint }) })).rejects.toThrow(
      'its entrypoint is',
    );
    expect(existsSync(join(dir, 'pwned'))).toBe(false);
  });

  it.each([
    ['has a program of its own', { program: 'own', manifest: manifest({}) }, 'its own program'],
    ['was gone', { origin: null, program: 'own' }, 'it no longer existed'],
    ['ships elsewhere', { origin: 'shipped' }, 'another version of Capstan'],
    ['has another name', { manifest: manifest({ id: 'other' }) }, "can't be made"],
  ] as const)('is refused by name if it %s', async (_, changes, problem) => {
    await expect(replay(changes)).rejects.toThrow('its capsule "poet" is not installed');
    await expect(replay(changes)).rejects.toThrow(problem);
  });
});

import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { aRequest, type RequestChanges } from '../../test/capsules/request.ts';
import { hasGroups } from '../../test/isolation/sandboxes.ts';
import { AppError, type ErrorCode } from '../contract/errors.ts';
import type { IntentReply } from '../contract/wire/coordinator-messages.ts';
import type { Intent, Progress } from '../contract/wire/protocol.ts';
import { runCapsule, type SandboxedOptions } from './runner.ts';
import { bare } from './sandbox/levels/bare.ts';

const capsules = join(import.meta.dirname, '../../test/capsules');
const folder = mkdtempSync(join(tmpdir(), 'capstan-runner-'));
afterAll(() => rmSync(folder, { recursive: true }));

const granted = async (intent: Intent): Promise<IntentReply> =>
  intent.type === 'tool_call_intent'
    ? { type: 'tool_call_result', ok: true, result: `${intent.tool} done` }
    : { type: 'api_call_decision', approved: false, note: 'no' };

interface Seen {
  pid: number;
  readonly intents: Intent[];
  readonly progress: Progress[];
  readonly noise: string[];
}

function run(name: string, changes: Partial<SandboxedOptions> = {}, request?: RequestChanges) {
  const seen: Seen = { pid: 0, intents: [], progress: [], noise: [] };
  const { onIntent = granted, onProgress, onNoise, ...others } = changes;
  const response = runCapsule({
    clean: (value) => value,
    capsule: name,
    dir: capsules,
    entrypoint: ['node', `${name}.cjs`],
    sdkPath: '/nowhere/sdk.cjs',
    request: aRequest(request),
    timeoutMs: 20_000,
    graceMs: 300,
    signal: new AbortController().signal,
    onStart: (pid) => {
      seen.pid = pid;
    },
    onIntent: (intent, ...more) => {
      seen.intents.push(intent);
      return onIntent(intent, ...more);
    },
    onProgress: (progress) => {
      seen.progress.push(progress);
      onProgress?.(progress);
    },
    onNoise: (text) => {
      seen.noise.push(text);
      onNoise?.(text);
    },
    sandbox: bare,
    ...others,
  });
  return { response, seen };
}

const says = (lines: readonly unknown[], replies = lines.length): RequestChanges => ({
  context: {
    input: {
      lines: lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))),
      replies,
    },
  },
});
const intent = (id?: string, tool = 'read') => ({
  type: 'tool_call_intent',
  ...(id === undefined ? {} : { id }),
  tool,
  args: {},
});

/** A promise and the function that resolves it. */
function gate() {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { released, release };
}

async function failure(response: Promise<unknown>): Promise<AppError> {
  const error = await response.then(
    () => new Error('it did not fail'),
    (thrown: unknown) => thrown,
  );
  if (error instanceof AppError) return error;
  throw error;
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** Dead, or a zombie that its parent has not reaped yet. */
function isGone(pid: number): boolean {
  const stat = `/proc/${pid}/stat`;
  return !isAlive(pid) || (existsSync(stat) && readFileSync(stat, 'utf8').includes(') Z '));
}

async function isGoneSoon(pid: number): Promise<boolean> {
  for (let i = 0; i < 1_000 && !isGone(pid); i += 1) await sleep(20);
  return isGone(pid);
}

describe('a capsule that behaves', () => {
  it('gets its request and returns its response', async () => {
    const { response, seen } = run('polite', {}, { task: 'wash the car' });
    expect(await response).toEqual({
      type: 'agent_response',
      status: 'ok',
      result: 'did: wash the car',
      memory_updates: [],
      artifacts: [],
      metrics: {},
    });
    expect(isAlive(seen.pid)).toBe(false);
  });

  it('inherits an allow-list and nothing else, and runs in its own folder', async () => {
    const { response } = run('shows-environment');
    const { result } = await response;
    expect(result).toEqual({
      env: {
        PATH: '/usr/bin:/bin',
        LANG: 'C.UTF-8',
        NODE_ENV: 'production',
        CAPSTAN_SDK: '/nowhere/sdk.cjs',
        CAPSTAN_CALL: expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
      cwd: capsules,
      argv: [join(capsules, 'shows-environment.cjs')],
    });
  });

  it('is read byte by byte, with CR LF, U+2028 and multi-byte characters', async () => {
    const { response } = run('chops');
    expect(await response).toMatchObject({ result: 'a\u2028b \u00e9 \u{1f600} \r' });
  });

  it('may forget to end its last line', async () => {
    expect(await run('forgets-newline').response).toMatchObject({ result: 'done' });
  });

  it('gets replies to intents with ids as they finish, and to the others in order of asking', async () => {
    const { released, release } = gate();
    const onIntent = async (asked: Intent): Promise<IntentReply> => {
      const tool = asked.type === 'tool_call_intent' ? asked.tool : '';
      if (tool.startsWith('slow')) await released;
      return { type: 'tool_call_result', id: 'not-yours', ok: true, result: tool };
    };
    const lines = [
      intent(undefined, 'slow first'),
      intent('a', 'slow a'),
      intent(undefined, 'second'),
      intent('b', 'b'),
      { type: 'progress', text: 'all asked' },
    ];
    const { response } = run('echoes', { onIntent, onProgress: release }, says(lines, 4));
    const replies = (await response).result as { id?: string; result: string }[];
    expect(replies.map(({ id, result }) => [id, result])).toEqual([
      ['b', 'b'],
      [undefined, 'slow first'],
      [undefined, 'second'],
      ['a', 'slow a'],
    ]);
  });

  it('drops unknown fields', async () => {
    const lines = [{ ...intent('a'), shell: 'rm -rf /', args: { kept: 1 } }];
    const { response, seen } = run('echoes', {}, says(lines));
    await response;
    expect(seen.intents).toEqual([
      { type: 'tool_call_intent', id: 'a', tool: 'read', args: { kept: 1 }, reason: '' },
    ]);
  });

  it('gets an error in place of a reply that does not fit on a line', async () => {
    const onIntent = async (): Promise<IntentReply> => ({
      type: 'tool_call_result',
      ok: true,
      result: 'x'.repeat(20_000),
    });
    const { response } = run('echoes', { onIntent, lineBytes: 10_000 }, says([intent('a')]));
    expect((await response).result).toMatchObject([
      { id: 'a', ok: false, error: { code: 'REPLY_TOO_LONG' } },
    ]);
  });
});

describe('a capsule that breaks the protocol', () => {
  it.each<[string, unknown, string]>([
    ['JSON of an unknown type', { type: 'launch_missiles' }, 'unknown type "launch_missiles"'],
    ['JSON without a type', { tool: 'read' }, 'no field "type"'],
    ['JSON that is no object', '42', 'not an object: 42'],
    ['a missing field', { type: 'tool_call_intent', args: {} }, 'field "tool"'],
    ['a mistyped field', { type: 'tool_call_intent', tool: 'x', args: [] }, 'field "args"'],
    [
      'a mistyped inner field',
      { ...intent(), type: 'api_call_intent', request: { kind: 'chat', messages: 'hi' } },
      'field "request.messages"',
    ],
    ['a later protocol', { ...intent(), protocol: 2 }, 'field "protocol"'],
    [
      'a very deep value',
      `{"type":"tool_call_intent","tool":"x","args":{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}}`,
      'deeper than 200',
    ],
    [
      'very many values',
      `{"type":"tool_call_intent","tool":"x","args":{"a":[{}${',{}'.repeat(200_000)}]}}`,
      'more than 200000 values',
    ],
  ])('fails with %s, which says where', async (_what, line, problem) => {
    const error = await failure(run('echoes', {}, says([line])).response);
    expect(error.code).toBe('CAPSULE_SPOKE_NONSENSE');
    expect(error.message).toContain(problem);
    expect(error.details).toMatchObject({ signal: 'SIGKILL' });
  });

  it('fails when it uses an intent id twice', async () => {
    const { response, seen } = run('echoes', {}, says([intent('a'), intent('b'), intent('a')]));
    const error = await failure(response);
    expect(error.code).toBe('CAPSULE_SPOKE_NONSENSE');
    expect(error.message).toContain('the intent id "a" twice');
    expect(seen.intents).toHaveLength(2);
  });

  it.each<[string, ErrorCode, string]>([
    ['babbles', 'CAPSULE_SPOKE_NONSENSE', 'more than 100 lines'],
    ['babbles-loudly', 'CAPSULE_SPOKE_NONSENSE', '65536 bytes'],
    ['sends-latin-1', 'CAPSULE_SPOKE_NONSENSE', 'not UTF-8'],
    ['floods', 'LINE_TOO_LONG', '4194304 bytes'],
  ])('%s: fails with %s', async (name, code, text) => {
    const { response, seen } = run(name);
    const error = await failure(response);
    expect(error.code).toBe(code);
    expect(error.message).toContain(text);
    expect(isAlive(seen.pid)).toBe(false);
  });

  it('may print some noise: it is shown, harmless to a terminal, and the result is kept', async () => {
    const { response, seen } = run('babbles-a-little');
    expect(await response).toMatchObject({ result: 'done' });
    expect(seen.noise).toHaveLength(100);
    expect(seen.noise[7]).toBe('debug 7 \ufffd[31mred\ufffd');
  });

  it('is heard no further while its intents in flight are large', async () => {
    const { released, release } = gate();
    const onIntent = async (): Promise<IntentReply> => {
      await released;
      return { type: 'tool_call_result', ok: true };
    };
    const large = (id: string) => ({ ...intent(id), args: { text: 'x'.repeat(3_000_000) } });
    const intents = Array.from({ length: 6 }, (_, i) => large(`i${i}`));
    const { response, seen } = run('echoes', { onIntent, lineBytes: 32_000_000 }, says(intents));
    await vi.waitFor(() => expect(seen.intents).toHaveLength(2), 30_000);
    await sleep(300);
    expect(seen.intents).toHaveLength(2);
    release();
    expect((await response).result).toHaveLength(6);
  });

  it('is answered with an error at its 65th intent in flight, and at no other', async () => {
    const { released, release } = gate();
    const onIntent = async (): Promise<IntentReply> => {
      await released;
      return { type: 'tool_call_result', ok: true };
    };
    const intents = Array.from({ length: 65 }, (_, i) => intent(`i${i}`));
    const lines = [...intents, { type: 'progress', text: 'all asked' }];
    const { response } = run('echoes', { onIntent, onProgress: release }, says(lines, 65));
    const replies = (await response).result as { id: string; error?: { code: string } }[];
    expect(replies).toHaveLength(65);
    expect(replies[0]).toMatchObject({
      id: 'i64',
      ok: false,
      error: { code: 'TOO_MANY_IN_FLIGHT' },
    });
    expect(replies.filter(({ error }) => error !== undefined)).toHaveLength(1);
  });

  it('has its progress cut at 1,000 lines, and the rest counted', async () => {
    const { response, seen } = run('cheers-on');
    await response;
    expect(seen.progress).toHaveLength(1_000);
    expect(seen.noise).toEqual(['500 progress lines were dropped']);
  });

  it('has its progress cut at 1 MiB', async () => {
    const text = { type: 'progress', text: '\u20ac'.repeat(900) };
    const { response, seen } = run('echoes', {}, says([...Array(500).fill(text), intent('a')], 1));
    await response;
    expect(seen.progress.length).toBeLessThan(400);
    expect(seen.noise).toEqual([`${500 - seen.progress.length} progress lines were dropped`]);
  });

  it('keeps its result if it sends more after its final, and performs nothing of it', async () => {
    const { response, seen } = run('talks-on');
    expect(await response).toMatchObject({ result: 'the first' });
    expect(seen.intents).toEqual([]);
    expect(seen.noise[0]).toContain('the second');
    expect(seen.noise.length).toBeLessThanOrEqual(100);
    expect(isAlive(seen.pid)).toBe(false);
  });

  it('fails when it leaves too many replies unread', async () => {
    const onIntent = async (): Promise<IntentReply> => ({
      type: 'tool_call_result',
      ok: true,
      result: 'x'.repeat(100_000),
    });
    const { response } = run('never-reads', { onIntent, unreadBytes: 2_000_000 });
    const error = await failure(response);
    expect(error.code).toBe('CAPSULE_SPOKE_NONSENSE');
    expect(error.message).toContain('unread');
  });

  it('uses up its own time while a request of it waits for it to read', async () => {
    const onIntent: SandboxedOptions['onIntent'] = async (_intent, _over, waitForReader) => {
      await waitForReader?.();
      return { type: 'tool_call_result', ok: true, result: 'x'.repeat(100_000) };
    };
    const { response } = run('never-reads', { onIntent, timeoutMs: 600 });
    expect((await failure(response)).code).toBe('CAPSULE_TIMED_OUT');
  });
});

describe('a capsule that falls silent', () => {
  it.each<[string, object, string]>([
    ['silent', { exitCode: 0 }, 'exit code 0'],
    ['exits-early', { exitCode: 7 }, 'exit code 7'],
    ['crashes', { exitCode: 1 }, 'the moon is in the way'],
    ['dies-by-signal', { signal: 'SIGSEGV' }, 'signal SIGSEGV'],
    ['breaks-off', { exitCode: 9 }, 'exit code 9'],
    ['closes-stdout', { signal: 'SIGTERM' }, 'signal SIGTERM'],
    ['asks-and-dies', { exitCode: 4 }, 'exit code 4'],
  ])('%s: says how it ended', async (name, end, text) => {
    const forever = () => new Promise<IntentReply>(() => {});
    const { response, seen } = run(name, { onIntent: forever });
    const error = await failure(response);
    expect(error.code).toBe('CAPSULE_FELL_SILENT');
    expect(error.details).toMatchObject(end);
    expect(error.message).toContain(text);
    expect(isAlive(seen.pid)).toBe(false);
  });

  it('aborts the answers to its intents when nobody waits for them', async () => {
    let told: AbortSignal | undefined;
    const onIntent = (_intent: Intent, signal: AbortSignal) => {
      told = signal;
      return new Promise<IntentReply>(() => {});
    };
    await failure(run('asks-and-dies', { onIntent }).response);
    expect(told?.aborted).toBe(true);
  });

  it('does not hurt us when it closed its stdin before we wrote', async () => {
    const onIntent = async (): Promise<IntentReply> => ({
      type: 'tool_call_result',
      ok: true,
      result: 'x'.repeat(100_000),
    });
    expect(await run('closes-stdin', { onIntent }).response).toMatchObject({ result: 'survived' });
  });

  it.each([
    ['is not there', ['no-such-program'], 'no-such-program'],
    ['is empty', [], 'entrypoint is empty'],
    ['is not program', ['./polite.cjs'], 'polite.cjs'],
  ])('reports that its program %s', async (_what, entrypoint, text) => {
    const error = await failure(run('polite', { entrypoint }).response);
    expect(error.code).toBe('CAPSULE_NOT_STARTED');
    expect(error.message).toContain(text);
  });

  it('reports that its folder does not exist', async () => {
    const error = await failure(run('polite', { dir: '/nowhere/at/all' }).response);
    expect(error.code).toBe('CAPSULE_NOT_STARTED');
  });

  it('is not sent a request that does not fit on a line', async () => {
    const { response } = run('polite', { lineBytes: 1_000 }, { task: 'x'.repeat(2_000) });
    const error = await failure(response);
    expect(error.code).toBe('CAPSULE_NOT_STARTED');
    expect(error.message).toContain('CAPSTAN_LINE_BYTES');
  });
});

describe('stderr without end', () => {
  it('is drained, kept up to 64 KiB in its log, and does not block the capsule', async () => {
    const logFile = join(folder, 'logs/attempt-1.log');
    const { response } = run('raves-on-stderr', { logFile });
    expect(await response).toMatchObject({ result: 'done' });
    const kept = readFileSync(logFile, 'utf8');
    const [cut = ''] = kept.split('\n');
    expect(cut).toBe(`[${1_000_090 - 64 * 1024} bytes before this were left out]`);
    expect(kept.length).toBe(cut.length + 1 + 64 * 1024);
    expect(statSync(logFile).mode & 0o777).toBe(0o600);
    expect(kept).toMatch(/e\nthe very last words\n$/);
  });

  it('is shown in part only, by the error', async () => {
    const { details } = await failure(run('crashes').response);
    const { stderrTail = '' } = details as { stderrTail?: string };
    expect(stderrTail).toContain('crashes.cjs');
    expect(stderrTail).not.toContain('left out');
    const long = await failure(run('raves-and-dies').response);
    expect(long.message).toMatch(/stderr:\n\[\d+ characters before this were left out\]\n/);
    expect(long.message.length).toBeLessThan(4_300);
  });
});

describe('time', () => {
  it.each([['hangs'], ['looks-busy'], ['ignores-sigterm'], ['asks-again-and-again']])(
    '%s: ends when its own time is used up',
    async (name) => {
      const { response, seen } = run(name, { timeoutMs: 400 });
      const error = await failure(response);
      expect(error.code).toBe('CAPSULE_TIMED_OUT');
      expect(error.message).toContain('400 ms');
      expect(isAlive(seen.pid)).toBe(false);
    },
  );

  it('does not run while an intent waits for an answer, however busy the capsule is', async () => {
    const onIntent = async (): Promise<IntentReply> => {
      await sleep(2_400);
      return { type: 'tool_call_result', ok: true };
    };
    const { response } = run('spins-while-waiting', { timeoutMs: 1_500, onIntent });
    expect(await response).toMatchObject({ result: 'patient' });
  });
});

describe('cancelling', () => {
  const cancelWhenReady = (name: string, reason?: string) => {
    const controller = new AbortController();
    const logFile = join(folder, `${name}.log`);
    const onProgress = () => controller.abort(reason);
    const changes = { signal: controller.signal, onProgress, logFile, graceMs: 1_500 };
    return { logFile, ...run(name, changes) };
  };

  it('asks the capsule to go first', async () => {
    const { response, logFile } = cancelWhenReady('goes-on-sigterm');
    expect((await failure(response)).code).toBe('CANCELLED');
    expect(readFileSync(logFile, 'utf8')).toBe('tidied up\n');
  });

  it('kills a process that does not exit', async () => {
    const { response, seen, logFile } = cancelWhenReady('ignores-sigterm');
    expect((await failure(response)).code).toBe('CANCELLED');
    expect(readFileSync(logFile, 'utf8')).toContain('not now');
    expect(isAlive(seen.pid)).toBe(false);
  });

  it('kills immediately for the reason "now"', async () => {
    const { response, seen } = cancelWhenReady('ignores-sigterm', 'now');
    expect((await failure(response)).code).toBe('CANCELLED');
    expect(isAlive(seen.pid)).toBe(false);
  });

  it('starts nothing when it came before', async () => {
    const { response, seen } = run('polite', { signal: AbortSignal.abort() });
    expect((await failure(response)).code).toBe('CANCELLED');
    expect(seen.pid).toBe(0);
  });

  it('cuts the grace short when the kill signal follows', async () => {
    const [stop, kill] = [new AbortController(), new AbortController()];
    const changes = { signal: stop.signal, killSignal: kill.signal, graceMs: 60_000 };
    const { response, seen } = run('ignores-sigterm', changes);
    while (seen.pid === 0) await sleep(10);
    stop.abort('interrupted');
    kill.abort();
    expect((await failure(response)).code).toBe('CANCELLED');
    expect(isAlive(seen.pid)).toBe(false);
  });

  it('does not affect other capsules', async () => {
    const stop = new AbortController();
    const [one, other] = [run('hangs', { signal: stop.signal }), run('polite')];
    while (one.seen.pid === 0) await sleep(10);
    stop.abort();
    expect((await failure(one.response)).code).toBe('CANCELLED');
    expect((await other.response).status).toBe('ok');
  });
});

describe('after an attempt, no process', () => {
  it('remains if a capsule does not exit after its final, and its result is kept', async () => {
    const { response, seen } = run('lingers');
    expect(await response).toMatchObject({ result: 'done' });
    expect(isAlive(seen.pid)).toBe(false);
  });

  it('leaves no grandchild after a final', async () => {
    const { result } = await run('forks').response;
    expect(await isGoneSoon(result as number)).toBe(true);
  });

  it('leaves no grandchild after a crash', async () => {
    const error = await failure(run('leaves-orphans').response);
    expect(error.code).toBe('CAPSULE_FELL_SILENT');
    expect(error.details).toMatchObject({ exitCode: 3 });
    const pid = Number(/child (\d+)/.exec(error.message)?.[1]);
    expect(await isGoneSoon(pid)).toBe(true);
  });

  it('leaves no grandchild that moved to a separate session with the pipes, and does not wait for it', async () => {
    const { result } = await run('forks-away').response;
    expect(await isGoneSoon(result as number)).toBe(true);
  });

  it.runIf(hasGroups)('leaves no grandchild of root that dropped its mark', async () => {
    const { result } = await run('drops-its-mark').response;
    expect(await isGoneSoon(result as number)).toBe(true);
  });
});

it('remains if our own callback throws, and the attempt fails with its error', async () => {
  const onIntent = () => Promise.reject(new Error('a bug of ours'));
  const { response, seen } = run('echoes', { onIntent }, says([intent('a')]));
  await expect(response).rejects.toThrow('a bug of ours');
  expect(isAlive(seen.pid)).toBe(false);
});

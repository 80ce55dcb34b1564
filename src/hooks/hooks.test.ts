import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HookText } from '../config/files/hooks-file.ts';
import { type HookPoint, MAX_ANSWER_BYTES, parseAnswer } from './hook.ts';
import { createHooks } from './hooks.ts';

let dir: string;
let problems: string[];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'capstan-hooks-'));
  problems = [];
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** A tiny program in Node that gets `told`, the parsed payload. */
function program(name: string, body: string): [string, ...string[]] {
  const path = join(dir, `${name}.cjs`);
  writeFileSync(
    path,
    `const told = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
     const say = (answer) => console.log(JSON.stringify(answer));
     ${body}`,
  );
  return [process.execPath, path];
}

const hook = (
  id: string,
  run: Pick<HookText, 'command' | 'module'>,
  changes: Partial<HookText> = {},
): HookText => ({
  id,
  on: ['pre_tool_call'],
  mode: 'enforce',
  timeout_ms: 5_000,
  ...run,
  ...changes,
});

const call = (
  definitions: readonly HookText[],
  point: HookPoint = 'pre_tool_call',
  payload = {},
  signal = new AbortController().signal,
) =>
  createHooks(definitions, {
    clean: (payload) => payload,
    searchPath: '/usr/bin:/bin',
    home: dir,
    onProblem: (_, text) => problems.push(text),
  }).run(
    point,
    {
      run_id: 'r1',
      tool: 'terminal',
      operation: 'terminal.write',
      capsule_id: 'clerk',
      args: { argv: ['rm', 'x'] },
      ...payload,
    },
    { key: 'args', signal },
  );

describe('a hook', () => {
  it('that prints nothing allows the call', async () => {
    expect(await call([hook('quiet', { command: program('quiet', '') })])).toMatchObject({
      kind: 'continue',
    });
  });

  it('gets the point and the call as JSON on its standard input', async () => {
    const command = program(
      'says-what-it-was-told',
      `say({ result: 'deny', why: told.point + ' ' + told.args.argv.join(' ') })`,
    );
    expect(await call([hook('echo', { command })])).toMatchObject({
      kind: 'deny',
      hook: 'echo',
      why: 'pre_tool_call rm x',
    });
  });

  it('that denies is the last that is asked', async () => {
    const seen = join(dir, 'seen');
    const second = program(
      'leaves-a-file',
      `require('node:fs').writeFileSync(${JSON.stringify(seen)}, '')`,
    );
    const first = program('denies', `say({ result: 'deny', why: 'no' })`);
    await call([hook('first', { command: first }), hook('second', { command: second })]);
    expect(() => readFileSync(seen)).toThrow('ENOENT');
  });

  it('that asks is overridden by a later one that denies', async () => {
    const asks = program('asks', `say({ result: 'ask', why: 'sure?' })`);
    const denies = program('denies', `say({ result: 'deny', why: 'no' })`);
    expect(await call([hook('a', { command: asks })])).toMatchObject({
      kind: 'ask',
      hook: 'a',
      why: 'sure?',
    });
    expect(
      await call([hook('a', { command: asks }), hook('b', { command: denies })]),
    ).toMatchObject({ kind: 'deny', hook: 'b' });
  });

  it('sees the call as the previous one changed it', async () => {
    const adds = (word: string) =>
      program(
        `adds-${word}`,
        `say({ result: 'modify', value: { argv: [...told.args.argv, ${JSON.stringify(word)}] } })`,
      );
    const verdict = await call([
      hook('a', { command: adds('y') }),
      hook('b', { command: adds('z') }),
    ]);
    expect(verdict).toMatchObject({ kind: 'modify', value: { argv: ['rm', 'x', 'y', 'z'] } });
  });

  it('after a call adds notes, each with its name', async () => {
    const notes = program('notes', `say({ result: 'inject', text: 'look twice' })`);
    const definition = hook('reviewer', { command: notes }, { on: ['post_tool_call'] });
    expect((await call([definition], 'post_tool_call')).injected).toEqual([
      { by: 'reviewer', text: 'look twice' },
    ]);
  });

  it('may be a module that exports a function of the point’s name', async () => {
    const module = join(dir, 'hooks.mjs');
    writeFileSync(
      module,
      `export const pre_tool_call = ({ args }) => ({ result: 'deny', why: args.argv[0] });`,
    );
    expect(await call([hook('module', { module })])).toMatchObject({ kind: 'deny', why: 'rm' });
  });

  it("may be a CommonJS module, and can't change its input", async () => {
    const module = join(dir, 'hooks.cjs');
    writeFileSync(module, `exports.pre_tool_call = async (told) => { told.args.argv[0] = 'ls'; };`);
    const args = { argv: ['rm', 'x'] };
    expect(await call([hook('m', { module })], 'pre_tool_call', { args })).toMatchObject({
      kind: 'continue',
    });
    expect(args.argv[0]).toBe('rm');
  });

  it.each([
    ['characters of one byte', 'x'],
    ['characters of three bytes', '漢'],
  ])('has a limit of bytes for its answer, of %s', async (_what, character) => {
    const limit = Math.floor(MAX_ANSWER_BYTES / Buffer.byteLength(character));
    const answer = { result: 'continue', why: character.repeat(limit) };
    expect(() => parseAnswer(JSON.stringify(answer), 'pre_tool_call')).toThrow(
      `its answer is longer than ${MAX_ANSWER_BYTES} bytes`,
    );
  });

  it('gets the length of a value that is too long, and the name of the member that was cut', async () => {
    const command = program(
      'says-what-is-cut',
      `say({ result: 'deny', why: told.cut.join() + told.args.argv[1].slice(-30) })`,
    );
    const args = { argv: ['echo', 'x'.repeat(2_000_000)] };
    const verdict = await call([hook('m', { command })], 'pre_tool_call', { args });
    expect(verdict.why).toMatch(/^args.*: 2000000 characters in all/);
  });

  it('counts as ended when its process ends, even if another process keeps its output open', async () => {
    const command = program(
      'leaves-an-heir',
      `require('node:child_process').spawn('/bin/sleep', ['5'], { stdio: 'inherit', detached: true }).unref();
       say({ result: 'deny', why: 'done' })`,
    );
    expect((await call([hook('m', { command })])).why).toBe('done');
  });

  it.each([
    ['tools', { tools: ['file_io'] }],
    ['operations', { operations: ['terminal.read'] }],
    ['capsules', { capsules: ['other-*'] }],
    ['tools, by "!",', { tools: ['!{terminal,http_api}'] }],
    ['points', { on: ['pre_plan' as const] }],
  ])('is not called for other %s than it names', async (_what, changes) => {
    const command = program('denies', `say({ result: 'deny' })`);
    expect(await call([hook('picky', { command }, changes)])).toMatchObject({ kind: 'continue' });
  });

  it('gets only PATH and HOME of the environment', async () => {
    process.env['A_SECRET_OF_OURS'] = 'hunter2';
    const command = program(
      'shows-its-environment',
      `say({ result: 'deny', why: Object.keys(process.env).sort().join() })`,
    );
    expect((await call([hook('nosy', { command })])).why).toBe('HOME,LANG,PATH');
    delete process.env['A_SECRET_OF_OURS'];
  });
});

describe('a hook that fails', () => {
  const failures: readonly [string, string, RegExp][] = [
    ['hangs', 'setInterval(() => {}, 1000)', /no answer within 300 ms/],
    ['crashes', `throw new Error('oh dear')`, /exit code 1/],
    [
      'floods',
      `for (;;) require('node:fs').writeSync(1, 'x'.repeat(65536))`,
      /more than 262144 bytes/,
    ],
    ['prints-no-json', `console.log('yes, of course')`, /did not print JSON/],
    ['prints-null', `say(null)`, /its answer is invalid/],
    [
      'prints-no-utf-8',
      `process.stdout.write(Buffer.from('{"result":"continue"}\\xff', 'latin1'))`,
      /not UTF-8/,
    ],
    [
      'leaves-the-answer-to-another',
      `require('node:child_process').spawn('/bin/sleep', ['3'], { stdio: 'inherit', detached: true }).unref();`,
      /keeps its output open/,
    ],
    ['answers-something-else', `say({ result: 'approve' })`, /its answer is invalid/],
    [
      'answers-what-is-not-allowed-here',
      `say({ result: 'inject', text: 'x' })`,
      /not an answer at pre_tool_call/,
    ],
  ];
  it.each(failures)('because it %s is a denial if it enforces', async (name, body, why) => {
    const verdict = await call([
      hook(
        'strict',
        { command: program(name, body) },
        { timeout_ms: 300 + (name === 'hangs' ? 0 : 5_000) },
      ),
    ]);
    expect(verdict).toMatchObject({ kind: 'deny', hook: 'strict' });
    expect(verdict.why).toMatch(why);
  });

  it.each(failures)(
    'because it %s changes nothing if it observes, and is reported',
    async (name, body, why) => {
      const command = program(name, body);
      const changes = {
        mode: 'observe' as const,
        timeout_ms: 300 + (name === 'hangs' ? 0 : 5_000),
      };
      expect(await call([hook('watcher', { command }, changes)])).toMatchObject({
        kind: 'continue',
      });
      expect(problems.join()).toMatch(why);
    },
  );

  it('denies if its program does not exist', async () => {
    const verdict = await call([hook('gone', { command: [join(dir, 'nothing')] })]);
    expect(verdict.why).toContain("can't be started");
  });

  it('because its module has no such function, or throws, is a no', async () => {
    const module = join(dir, 'broken.mjs');
    writeFileSync(module, `export const post_run = () => {};`);
    expect((await call([hook('m', { module })])).why).toContain(
      'does not export a function pre_tool_call',
    );
  });

  it.each([
    ['hangs', 'export const pre_tool_call = () => new Promise(() => {});', /within 300 ms/],
    [
      'throws',
      `export const pre_tool_call = () => { throw new Error('oh\\ndear'); };`,
      /oh\\u000adear/,
    ],
    [
      'answers a loop',
      'export const pre_tool_call = () => { const a = {}; a.a = a; return a; };',
      /circular/,
    ],
    [
      'answers something else',
      'export const pre_tool_call = () => ({ result: 1 });',
      /its answer is invalid/,
    ],
    ['answers null', 'export const pre_tool_call = () => null;', /its answer is invalid/],
    ['answers a function', 'export const pre_tool_call = () => () => {};', /invalid: a function/],
    ['is not program', 'this is no program', /SyntaxError|Unexpected|Cannot use/i],
  ])('because its module %s is a no', async (_what, text, why) => {
    const module = join(dir, 'fails.mjs');
    writeFileSync(module, text);
    const verdict = await call([hook('m', { module }, { timeout_ms: 300 })]);
    expect(verdict).toMatchObject({ kind: 'deny', hook: 'm' });
    expect(verdict.why).toMatch(why);
  });

  it('of a call that is done undoes nothing, even in enforce mode, and is reported', async () => {
    const command = program('crashes', 'process.exit(3)');
    const definition = hook('late', { command }, { on: ['post_tool_call'] });
    expect(await call([definition], 'post_tool_call')).toMatchObject({ kind: 'continue' });
    expect(problems.join()).toContain('The hook "late" failed: it ended with exit code 3');
  });

  it('because the run ended first has not failed, which is not a denial', async () => {
    const over = new AbortController();
    const command = program('hangs', 'setInterval(() => {}, 1000)');
    const asked = call([hook('slow', { command })], 'pre_tool_call', {}, over.signal);
    over.abort();
    await expect(asked).rejects.toMatchObject({ code: 'CANCELLED' });
  });

  it('denies if it changes a value that it got only in part', async () => {
    const command = program('changes', `say({ result: 'modify', value: { argv: ['ls'] } })`);
    const args = { argv: ['echo', 'x'.repeat(2_000_000)] };
    const verdict = await call([hook('blind', { command })], 'pre_tool_call', { args });
    expect(verdict.why).toContain('"args", which was truncated in its payload');
  });

  it('denies if its input is nested too deeply', async () => {
    let args: unknown = 'x';
    for (let depth = 0; depth < 200_000; depth++) args = [args];
    const verdict = await call([hook('m', { command: program('quiet', '') })], 'pre_tool_call', {
      args,
    });
    expect(verdict).toMatchObject({ kind: 'deny', hook: 'm' });
  });

  it('leaves no process behind', async () => {
    const pidFile = join(dir, 'pid');
    const script = join(dir, 'starts-another.sh');
    writeFileSync(script, `#!/bin/sh\nsleep 60 &\necho $! > ${pidFile}\nsleep 60\n`);
    chmodSync(script, 0o700);
    await call([hook('parent', { command: [script] }, { timeout_ms: 300 })]);
    const pid = Number(readFileSync(pidFile, 'utf8'));
    await expect.poll(() => isAlive(pid)).toBe(false);
  });
});

describe('an observing hook', () => {
  it('decides nothing with any answer', async () => {
    const command = program('denies', `say({ result: 'deny', why: 'no' })`);
    expect(await call([hook('watcher', { command }, { mode: 'observe' })])).toMatchObject({
      kind: 'continue',
    });
  });
});

function isAlive(pid: number): boolean {
  try {
    return !/State:\s+Z/.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

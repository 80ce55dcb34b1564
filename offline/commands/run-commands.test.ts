import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Bench, openBench } from '../../test/sentences/handler-context.ts';
import { splitCommand } from './run-code.ts';
import { runCommands } from './run-commands.ts';

let bench: Bench;
beforeEach(async () => {
  bench = await openBench({ 'a.txt': 'one\ntwo\n', 'sub/b.txt': 'x\n', 'hi.sh': 'echo "hi $1"\n' });
});
afterEach(() => bench.remove());

const run = async (task: string) =>
  (await runCommands(bench.context(task))) as {
    text: string;
    data: { stdout: string; exit_code: number; commands: unknown[] };
  };

describe('splitCommand', () => {
  it.each<[string, readonly string[] | undefined]>([
    ['git log --oneline', ['git', 'log', '--oneline']],
    [`printf '%s' "a b"`, ['printf', '%s', 'a b']],
    [`echo a"b"'c'`, ['echo', 'abc']],
    [`echo "" ''`, ['echo', '', '']],
    ['a | b', undefined],
    ['a > b', undefined],
    ['echo $HOME', undefined],
    ['ls *.txt', undefined],
    ['A=1 env', undefined],
    ['a && b', undefined],
    ['echo "open', undefined],
    ['a\nb', undefined],
    ['cd ~', undefined],
    ['', undefined],
  ])('%s', (line, words) => {
    expect(splitCommand(line)).toEqual(words);
  });
});

describe('the command runner', () => {
  it.each<[string, string]>([
    ['Run `wc -l a.txt`', '2 a.txt\n'],
    ['run the command `cat a.txt | tail -1` and show the output', 'two\n'],
    ['Execute `ls` in sub/', 'b.txt\n'],
    ['In sub/, run `ls`', 'b.txt\n'],
    ['Run `echo a` and `echo b`.', 'a\nb\n'],
    ['What does `echo hi` print?', 'hi\n'],
    ['Run this command:\n```bash\necho 1\necho 2 >&2\n```', '1\n'],
    ['Run the script hi.sh', 'hi \n'],
  ])('%s', async (task, stdout) => {
    const { text, data } = await run(task);
    expect(data.stdout).toBe(stdout);
    expect(text).toContain('ended with exit code 0');
  });

  it.each([
    ['Create a branch called cleanup', ['git', 'branch', 'cleanup']],
    ['Create a new git branch called spring-sale', ['git', 'branch', 'spring-sale']],
    ['Switch to a new branch cleanup', ['git', 'switch', '-c', 'cleanup']],
    ['switch to the branch main', ['git', 'switch', 'main']],
    ['tag the current commit as v1.2.4', ['git', 'tag', 'v1.2.4']],
    ['commit everything with the message "Add x"', ['git', 'add', '-A']],
    ['commit a.txt with the message "Add x"', ['git', 'add', 'a.txt']],
    ['git: commit what I changed, message "Add x"', ['git', 'add', '-A']],
    ['Create a folder called out', ['mkdir', 'out']],
  ])('%s', async (task, argv) => {
    await run(task).catch(() => undefined);
    expect(bench.calls[0]?.args['argv']).toEqual(argv);
  });

  it('copies a folder, unless there is something of that name', async () => {
    await run('make a copy of the sub folder named sub2');
    expect(await readFile(join(bench.workspace, 'sub2/b.txt'), 'utf8')).toBe('x\n');
    await expect(run('copy the folder sub to sub2')).rejects.toThrow('exit code 1');
  });

  it.each([
    ...['commits about hives', 'when was the first commit', 'what did I not commit'],
    ...['commits per file', 'the message of each commit', 'how many files were committed'],
    ...['who committed the most files', 'who changed the most files in the last commit'],
    ...['who made the most commits by Ann', 'who did not commit', 'how many lines per commit'],
    ...['How many commits from March?', 'Show the commits from 2025', 'commits on Friday'],
    ...['When was a.txt last changed?', 'What was not committed in May 2026?'],
    ...['How many people have committed here?', 'number of files committed', 'commits by Monday'],
    ...['How many commits have I made?', 'Show my commits', 'Show our commits', 'commits by me'],
    ...['Which commit changed line 5 of a.txt?', 'Was a.txt changed in the last commit?'],
    ...['Did Ann make the last commit?', 'Which files did the last 3 commits change?'],
    ...['What did the last commit change in a.txt?', 'Who changed a.txt in the last commit?'],
    ...[
      'What did Ann say in the last commit?',
      'Which authors have committed?',
      'commits by Ann, Bo',
    ],
    ...['What was changed in the latest commits?', 'Show commits until today'],
    ...['Was the last commit by Ann?', 'Which of the last 3 commits changed a.txt?'],
    ...['What did the last 3 commits change?', 'What did I commit since yesterday?'],
    ...[
      'the last commit by each author',
      'how many commits and who made them',
      'who made 3 commits',
    ],
  ])('does not read "%s" as a question about all commits', async (task) => {
    await expect(run(task)).rejects.toThrow();
    expect(bench.calls).toEqual([]);
  });

  it.each(['commit everything', 'create a branch called "-d"', 'create a branch called "a$b"'])(
    'runs nothing for %s',
    async (task) => {
      await expect(run(task)).rejects.toThrow();
      expect(bench.calls).toEqual([]);
    },
  );

  it.each([
    ['Run `echo a > out.txt`', 'write'],
    ['Run `echo a >> out.txt; ls`', 'write'],
    ['Run `ls | tee files.txt`', 'write'],
    ['Run `ls 2>/dev/null`', 'read'],
    ['Run `echo 1 >&2`', 'read'],
    ['Run `echo "a > b"`', 'read'],
  ])('%s runs once, with the access %s', async (task, access) => {
    await run(task);
    expect(bench.calls.map(({ args }) => args['access'])).toEqual([access]);
  });

  it('gives plain commands as words and others to a shell, exactly as they stand', async () => {
    await run('Run `echo "a b"`, `echo $((1+1))`');
    expect(bench.calls.map(({ args }) => args['argv'] ?? args['command'])).toEqual([
      ['echo', 'a b'],
      'echo $((1+1))',
    ]);
  });

  it('writes only where the command itself does', async () => {
    await run('Run `sort -r a.txt > out.txt`');
    expect(await readFile(join(bench.workspace, 'out.txt'), 'utf8')).toBe('two\none\n');
  });

  it.each<[string, object, string[]]>([
    ['Run `make`', { exit_code: 2, stderr: 'no', needs_write: true }, ['read', 'write']],
    ['Run `make`', { exit_code: 2, stderr: 'no' }, ['read']],
    ['Run `make; true`', { exit_code: 0, needs_write: true }, ['read', 'write']],
    ['Run `make` with write access', { exit_code: 2 }, ['write']],
    ['Run `make` in sub/ with write access and show the output', { exit_code: 0 }, ['write']],
    ['Run `make` and report the result', { exit_code: 0 }, ['read']],
  ])(
    'asks for write access again only if a part of a command could not write: %s %j',
    async (task, result, access) => {
      const asked: unknown[] = [];
      const call = async (_tool: string, args: Record<string, unknown>) => {
        asked.push(args['access']);
        return { ...result, stdout: '' };
      };
      const running = runCommands({ ...bench.context(task), call });
      await Promise.allSettled([running]);
      expect(asked).toEqual(access);
    },
  );

  it('passes on what a tool says about a command, whether it failed or not', async () => {
    const hint = 'The workspace could only be read. To change files, a command needs write access.';
    const advice = 'If it must change files, say "with write access" in the task.';
    const withResult = (exit_code: number) => ({
      ...bench.context('Run `make`'),
      call: async () => ({ exit_code, stdout: 'x\n', stderr: '', hint }),
    });
    await expect(runCommands(withResult(1))).rejects.toThrow(advice);
    expect(await runCommands(withResult(0))).toMatchObject({
      text: expect.stringContaining(`The workspace could only be read. ${advice}`),
    });
  });

  it('fails if a command changes the home, which is discarded', async () => {
    await expect(run('Run `echo x > ~/notes.txt`')).rejects.toThrow(/~\/notes\.txt.*discarded/);
  });

  it('says so of a command of which nobody knows more than that it was run', async () => {
    const context = bench.context('Run `echo a` and `echo b`.');
    const note = 'It was done before the interruption.';
    const call = async (tool: string, args: Record<string, unknown>, reason: string) =>
      JSON.stringify(args).includes('"a"') ? { note } : context.call(tool, args, reason);
    const done = (await runCommands({ ...context, call })) as { text?: string };
    expect(done?.text).toContain(`\`echo a\`: ${note}`);
    expect(done?.text).toContain('`echo b` ended with exit code 0.');
  });

  it('fails with exit code and output where a command does, and runs nothing after it', async () => {
    const failure = run('Run `ls nowhere`, `touch later.txt`');
    await expect(failure).rejects.toMatchObject({
      code: 'COMMAND_FAILED',
      message: expect.stringMatching(/`ls nowhere` ended with exit code 2[\s\S]*nowhere/),
    });
    expect(bench.calls).toHaveLength(1);
  });

  it.each<[string, string]>([
    ['List all branches', 'NOT_UNDERSTOOD'],
    ['Show the history', 'NOT_UNDERSTOOD'],
    ['Run `ls` every five minutes', 'NOT_UNDERSTOOD'],
    ['Run `rm a.txt` unless it is empty', 'NOT_UNDERSTOOD'],
    ['Run `touch x`. Do not change a.txt.', 'NOT_UNDERSTOOD'],
    ['Fix what `make` complains about', 'NOT_UNDERSTOOD'],
    ['Do not run `touch x`', 'NOT_UNDERSTOOD'],
    ['Run this:\n```sql\nSELECT 1\n```', 'NOT_SUPPORTED'],
    ['Run this:\n```rust\nfn main() {}\n```', 'NOT_SUPPORTED'],
    ['Run data.csv', 'NOT_SUPPORTED'],
  ])('fails for "%s" with %s and runs nothing', async (task, code) => {
    await expect(run(task)).rejects.toMatchObject({ code });
    expect(bench.calls).toEqual([]);
  });

  it.each([
    ['Run the tests', 'npm test'],
    ['do all tests pass?', 'npm test'],
    ['git status', 'git status'],
    ['Which files have uncommitted changes?', 'git status'],
    ['Show me the last 3 commits', 'git log -n 3 '],
    ['Show me the latest three commits', 'git log -n 3 '],
    ['Who committed most often?', 'git shortlog'],
    ['Which files have I not committed yet?', 'git status'],
    ['Who made the last commit?', 'git log -n 1 '],
    ['Have I changed anything since the last commit?', 'git status'],
    ['In which commit was a.txt added?', 'git log --diff-filter=A --date=short'],
    ['when was a.txt added to the repo', 'format=%h %ad %an: %s -- a.txt'],
    ['show the git log', 'git log -n 20 '],
    ['When was a.txt last changed in Git, and by whom?', 'git log -n 1 '],
    ['What was committed in February 2024?', '--until=2024-02-29 23:59:59'],
    ['Which branch am I on?', 'git branch --show-current'],
    ['How many commits are in this repository?', 'git rev-list --count HEAD'],
    ['show the uncommitted changes', 'git status --short', 'git diff HEAD'],
    ['show the git diff', 'git diff HEAD'],
    ["who made the last commit here and what's the message?", 'git log -n 1 '],
    ['Have I got any uncommited changes in this folder?', 'git status'],
    ['git status? is everything committed', 'git status'],
    ['Which files went into the last commit?', 'git show'],
    ['which files came in with the last commit', 'git show'],
    ['On what git branch am I right now?', 'git branch --show-current'],
    ['Is there anything here that git says is modified or untracked?', 'git status'],
    ['did i forget to commit something in here', 'git status'],
    ['uncommitted files', 'git status'],
    ['Which files have I changed or added since the last commit?', 'git status'],
    ['who committed last?', 'git log -n 1 '],
    ['most recent commit', 'git log -n 1 '],
    ['Who made the last commit, and what does its message say?', 'git log -n 1 '],
    ['what changed since yesterday?', 'git log --since=yesterday.midnight ', 'git status --short'],
    ['commits since 1 March 2026', 'git log --since=2026-03-01 00:00 '],
    ['Who last changed a.txt?', 'git log -n 1 --date=short --format=%h %ad %an: %s -- a.txt'],
    ['commits per author', 'git shortlog'],
    ['how many commits do we have so far?', 'git rev-list --count HEAD'],
    ['Which files have I changed but not committed yet?', 'git status'],
    ['who has been committing here', 'git shortlog'],
    [
      'how many commits did Ann Lee make?',
      'git rev-list --count "--author=^Ann Lee[^[:alnum:]]" "--author=[^[:alnum:]]Ann Lee[^[:alnum:]]" -i HEAD',
    ],
    [
      "show me Ann's commits",
      'git log "--author=^Ann[^[:alnum:]]" "--author=[^[:alnum:]]Ann[^[:alnum:]]" -i ',
    ],
    [
      'what did Ann commit today',
      'git log "--author=^Ann[^[:alnum:]]" "--author=[^[:alnum:]]Ann[^[:alnum:]]" -i "--since=midnight" ',
    ],
    ['Which commits changed a.txt?', 'format=%h %ad %an: %s -- a.txt'],
    ['which files changed in the latest commit', 'git show'],
    ['What was the last commit about and who made it?', 'git log -n 1 '],
    [
      "the message of Ann's last commit",
      'git log -n 1 "--author=^Ann[^[:alnum:]]" "--author=[^[:alnum:]]Ann[^[:alnum:]]" -i ',
    ],
    ['What did the last commit change?', 'git show'],
    [
      'When did Ann last commit?',
      'git log -n 1 "--author=^Ann[^[:alnum:]]" "--author=[^[:alnum:]]Ann[^[:alnum:]]" -i ',
    ],
    [
      'show the last 3 commits by Ann',
      'git log -n 3 "--author=^Ann[^[:alnum:]]" "--author=[^[:alnum:]]Ann[^[:alnum:]]" -i ',
    ],
    ['what is the number of commits per author', 'git shortlog'],
    ['which files did I change since the last commit', 'git status --short', 'git diff HEAD'],
  ])('reads "%s" as a command', async (task, ...commands) => {
    await writeFile(join(bench.workspace, 'package.json'), '{"scripts": {"test": "echo passed"}}');
    const started: string[] = [];
    const context = bench.context(task);
    const call = (tool: string, args: Record<string, unknown>, reason: string) => {
      if (tool !== 'terminal') return context.call(tool, args, reason);
      started.push(String(args['command'] ?? (args['argv'] as string[]).join(' ')));
      return Promise.resolve({ exit_code: 0, stdout: 'done' });
    };
    await runCommands({ ...context, call });
    expect(started).toEqual(commands.map((command) => expect.stringContaining(command)));
  });

  it('says which files tell how tests are run where none does', async () => {
    await expect(run('Run the tests')).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringMatching(/package\.json.*npm test/),
    });
  });
});

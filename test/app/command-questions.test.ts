import { chmodSync, existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Capstan, openCapstan } from '../../src/app/open-capstan.ts';
import { hasBubblewrap } from '../isolation/sandboxes.ts';
import { type Person, temporaryPerson } from '../setup/temporary-person.ts';

let person: Person;
let capstan: Capstan;
beforeEach(async () => {
  person = temporaryPerson();
  person.writeProject('n.txt', 'b\na\n');
  for (const name of ['quiet.sh', 'bin/quiet.sh']) {
    person.writeProject(name, 'touch made.txt 2>/dev/null\necho ok\n');
    chmodSync(join(person.project, name), 0o755);
  }
  symlinkSync('quiet.sh', join(person.project, 'link.sh'));
  capstan = await openCapstan({ env: person.environment, cwd: person.project });
});
afterEach(async () => {
  await capstan.close();
  person.remove();
});

/** A run without a model: how it ended, its answer, and its question. */
async function run(task: string) {
  const started = await capstan.runs.start({ task, settings: { provider: 'offline' } });
  const { status, answer } = await started.finished;
  const [question] = await capstan.approvals.list();
  return { status, answer, why: question?.why, details: question?.details.split('\n').slice(1) };
}

describe.runIf(hasBubblewrap)('a command', () => {
  it('that hides its errors is not reported as done without a word about the read-only workspace', async () => {
    const { status, answer } = await run('Run `sh quiet.sh`');
    expect(status).toBe('completed');
    expect(answer).toContain(
      'It ran with the workspace read-only: it could not change files. If it must change files, say "with write access" in the task.',
    );
    expect(existsSync(join(person.project, 'made.txt'))).toBe(false);
  });

  it('that only reads is reported without that word', async () => {
    expect((await run('Run `wc -l n.txt`')).answer).not.toContain('read-only');
  });

  it('is asked about with the word that it was tried read-only', async () => {
    const { why } = await run('Run `rm n.txt`');
    expect(why).toBe('It runs a program. It was tried with the workspace read-only before.');
  });

  it.each([
    ['sh quiet.sh', 'quiet.sh'],
    ['./quiet.sh', 'quiet.sh'],
    ['cat n.txt && ./quiet.sh', 'quiet.sh'],
    ['timeout 5 ./quiet.sh', 'quiet.sh'],
    ['bin/quiet.sh', 'bin/quiet.sh'],
    ['sh link.sh', 'quiet.sh'],
    ['cat n.txt && bash -e ./quiet.sh', 'quiet.sh'],
  ])('that runs a script is asked about with its content: %s', async (command, name) => {
    const { why, details } = await run(`Run \`${command}\` with write access`);
    expect(why).toContain(
      `It runs ${name}: the content is shown, and approving once is for this content only.`,
    );
    expect(details?.slice(-3)).toEqual([
      `"${name}" contains:`,
      '  touch made.txt 2>/dev/null',
      '  echo ok',
    ]);
  });

  it('that runs many or long scripts is asked about with the names of those that are not shown', async () => {
    const steps = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => `step${name}`);
    for (const name of steps) person.writeProject(name, `echo ${name}\n`);
    person.writeProject('longstep', '# padding\n'.repeat(7_000));
    const command = [...steps, 'longstep'].map((name) => `sh ${name}`).join(' && ');
    const { why, details } = await run(`Run \`${command}\` with write access`);
    expect(why).toContain(
      'for this content only; and 3 more files that are not shown: stepf, stepg, longstep (70 KB).',
    );
    expect(details?.slice(-2)).toEqual([
      '  echo stepe',
      'runs 3 more files that are not shown: "stepf", "stepg", "longstep" (70 KB)',
    ]);
  });

  it('that runs a program by its path, and a script, is asked about with both', async () => {
    person.writeProject('deploy.sh', 'echo deployed\n');
    const { why } = await run('Run `./deploy.sh && sh quiet.sh` with write access');
    expect(why).toContain('It runs deploy.sh, quiet.sh: the content is shown');
  });

  it('that runs a file without text is asked about with the reason that it is not shown', async () => {
    person.writeProject('tool', 'a\0b');
    const { why } = await run('Run `./tool && sh quiet.sh` with write access');
    expect(why).toContain('and 1 more file that is not shown: tool (not text).');
  });

  it.each([
    ['timeout 5 sort -o n.txt ./n.txt', '"timeout","5","sort","-o","n.txt","./n.txt"'],
    ['sort -o n.txt n.txt', '"sort","-o","n.txt","n.txt"'],
    ['timeout 5 sort -o n.txt n.txt', '"timeout","5","sort","-o","n.txt","n.txt"'],
  ])('that only reads a file is asked about without its content: %s', async (command, argv) => {
    const { details } = await run(`Run \`${command}\` with write access`);
    expect(details).toEqual([`runs [${argv}] in "."`]);
  });
});

it('a file that is moved is asked about without its content', async () => {
  const { details } = await run('Rename n.txt to m.txt');
  expect(details).toEqual(['removes "n.txt"', 'writes "m.txt"', 'the content stays the same']);
});

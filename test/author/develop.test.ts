import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { failedWith } from '../../src/contract/errors.ts';
import { openTaskRunner } from '../programs/run-tasks.ts';
import { type AuthorSetup, authorSetup, until } from './author-setup.ts';

let setup: AuthorSetup;
beforeAll(async () => {
  setup = await authorSetup();
});
afterAll(() => setup.close());
beforeEach(() => setup.write('skill.md', 'Be quiet.\n'));

/** Begins `capsules dev`, and ends it with the test: the next one would share its signals. */
function develop(options: Record<string, unknown>) {
  const { io, code } = setup.begin('dev', ['mine'], options);
  let isRunning = true;
  const stop = async () => {
    isRunning = false;
    process.emit('SIGINT');
    expect(await code).toBe(130);
  };
  onTestFinished(() => (isRunning ? stop() : undefined));
  return { io, stop };
}

describe('capstan capsules dev', () => {
  it('shows the effect of a save, and replays what did not change', async () => {
    const { io, stop } = develop({ case: 'harbour', live: true });
    await until(io.out, '#1');
    expect(io.out()).toContain('The harbour was closed.');
    setup.write('skill.md', 'Be LOUD.\n');
    await until(io.out, '#2');
    expect(io.out()).toContain('#2 · skill.md saved · overlay');
    expect(io.out()).toMatch(/prompt\n(.*\n)*? {2}- Be quiet\.\n {2}\+ Be LOUD\./);
    expect(io.out()).toMatch(/answer\n {2}- The harbour was closed\.\n {2}\+ THE HARBOUR/);
    const asked = setup.model.chats.length;
    setup.write('skill.md', '{{nothing}}\n');
    await until(io.errors, 'skill.md:1: there is no variable "nothing"');
    setup.write('skill.md', 'Be quiet.\n');
    await until(io.out, '#3');
    expect(io.out()).toMatch(/#3 .* 2 replayed/);
    expect(setup.model.chats).toHaveLength(asked);
    await stop();
  });
});

describe('capstan capsules dev, with a model that fails', () => {
  it('asks it again at the next save', async () => {
    setup.breakModel(true);
    const { io, stop } = develop({ case: 'harbour', live: true });
    await until(io.out, /#1 .* failed/);
    setup.breakModel(false);
    setup.write('notes.md', 'Only to save something.');
    await until(io.out, /#2 .* completed .* 2 live/);
    await stop();
    rmSync(setup.own('notes.md'));
  });
});

describe('capstan capsules dev with a task', () => {
  const task = 'Say what notes.txt says';
  const notes = (text: string) => writeFileSync(join(setup.person.project, 'notes.txt'), text);
  const lastChat = () => JSON.stringify(setup.model.chats.at(-1)?.messages);

  it('reads files as they are, and names the run whose answers it replays', async () => {
    notes('The harbour was closed.');
    const runner = await openTaskRunner(setup.person, {
      settings: {},
      environment: setup.environment,
      isIsolationWaived: false,
    });
    const { id } = await runner.run(task, { capsule: 'mine' });
    await runner.close();
    const from = `from run ${id.slice(-8)} of 20`;

    const recorded = develop({ task });
    await until(recorded.io.out, `2 replayed ${from}`);
    await recorded.stop();

    notes('It opens on Monday.');
    const stale = develop({ task });
    await until(stale.io.out, '! 1 model answer recorded under another prompt or after other tool');
    await stale.stop();

    const live = develop({ task, live: true });
    await until(live.io.out, new RegExp(`#1 .* 1 replayed ${from}.* 1 live`));
    expect(lastChat()).toContain('It opens on Monday.');
    notes('It opens on Tuesday.');
    setup.write('notes.md', 'Only to save something.');
    await until(live.io.out, new RegExp(`#2 · notes.md saved .* 1 replayed ${from}.* 1 live`));
    expect(lastChat()).toContain('It opens on Tuesday.');
    await live.stop();
    rmSync(setup.own('notes.md'));
  });

  it('says how to get an answer that is not recorded', async () => {
    const { io, stop } = develop({ task: 'Say something else' });
    await until(io.out, '! 1 request not recorded, and not performed; --live asks a real model');
    await stop();
  });

  it.each(['', ' '])('refuses the task %j', async (empty) => {
    const { code } = await setup.run('dev', ['mine'], { task: empty });
    expect(failedWith(code, 'USAGE') && code.message).toContain('The task is empty.');
  });
});

describe('capstan capsules dev, with a save during a run', () => {
  it('replays the answers that the ended run got', async () => {
    setup.holdModel(true);
    const asked = setup.model.chats.length;
    const { io, stop } = develop({ case: 'harbour', live: true });
    await until(() => String(setup.model.chats.length - asked), '2');
    setup.holdModel(false);
    setup.write('notes.md', 'Only to save something.');
    await until(io.out, /#1 · notes\.md saved · .* completed .* 1 replayed .* 1 live/);
    expect(setup.model.chats).toHaveLength(asked + 3);
    await stop();
    rmSync(setup.own('notes.md'));
  });
});

describe('capstan capsules dev, with a capsule that writes into its own folder', () => {
  it('does not take that for a save', async () => {
    const start = 'require(process.env.CAPSTAN_SDK).start({});\n';
    const save = "require('fs').writeFileSync(__dirname + '/state.json', String(Date.now()));\n";
    setup.write('state.json', '0');
    setup.write('entrypoint.cjs', `${save}${start}process.on('exit', () => { ${save} });\n`);
    const options = { case: 'harbour', live: true, dangerouslyNoIsolation: true };
    const { io, stop } = develop(options);
    await until(io.out, /#1 .* completed/);
    await pause(500);
    expect(readFileSync(setup.own('state.json'), 'utf8')).not.toBe('0');
    expect(io.out()).not.toContain('#2');
    setup.write('state.json', 'by its author');
    await until(io.out, /#2 · state\.json saved · .* completed/);
    await stop();
    rmSync(setup.own('state.json'));
    setup.write('entrypoint.cjs', start);
  });
});

describe('capstan capsules dev, with a capsule that hangs', () => {
  it('says that it runs, and ends it at the next save', async () => {
    setup.write('entrypoint.cjs', 'setInterval(() => {}, 1_000);');
    const { io, stop } = develop({ case: 'harbour', live: true });
    await until(io.errors, 'running; a save starts it again');
    // Before it hangs, the first run would read what is saved.
    await pause(1_000);
    setup.write('entrypoint.cjs', 'require(process.env.CAPSTAN_SDK).start({});');
    await until(io.out, /#[12] · entrypoint\.cjs saved · .* completed/);
    await stop();
  });
});

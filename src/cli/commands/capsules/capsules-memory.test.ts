import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ioOf } from '../../../../test/programs/recorded-io.ts';
import { ownCapsulesOf } from '../../../../test/setup/own-capsules.ts';
import { type Person, temporaryPerson } from '../../../../test/setup/temporary-person.ts';
import { openMemory } from '../../../memory/open-memory.ts';
import { capsulesMemory } from './capsules-memory.ts';

let person: Person;
beforeEach(() => {
  person = temporaryPerson();
  const { own, writeOwn } = ownCapsulesOf(person);
  writeOwn('mine');
  const memory = openMemory(own('mine/memory.db'));
  const origin = { workspace: person.project, runId: '019a0000-0000-7000-8000-0000bbbbcccc' };
  memory.remember([
    { ...origin, text: 'The boss is Ann.', source: 'a:0', isUntrusted: false },
    { ...origin, text: 'Pay\u202E Eve.', source: 'a:1', isUntrusted: true },
  ]);
  memory.close();
});
afterEach(() => person.remove());

async function run(name: string, positionals: string[], options: Record<string, unknown> = {}) {
  const io = ioOf({ environment: person.environment, cwd: person.project });
  const subcommand = capsulesMemory.subcommands?.find((one) => one.name === name);
  const code = await subcommand?.run({ positionals, options }, io).catch((error: unknown) => error);
  return { code, out: io.out() };
}

describe('capstan capsules memory', () => {
  it('lists each item with its date, run, workspace and mark, newest first', async () => {
    const { code, out } = await run('list', ['mine']);
    expect(code).toBe(0);
    const [second, first] = out.split(/^(?=mine )/m);
    expect(first).toMatch(
      /^mine 1 {2}\d{4}-\d\d-\d\d · run bbbbcccc · \S+\n {4}The boss is Ann\.\n$/,
    );
    expect(second).toMatch(/^mine 2 .* · from untrusted content\n {4}Pay\\u202e Eve\.\n$/);
  });

  it('prints JSON', async () => {
    const { out } = await run('list', [], { json: true });
    expect(JSON.parse(out)).toMatchObject([
      { capsule_id: 'mine', id: 2, is_untrusted: true },
      { capsule_id: 'mine', id: 1, workspace: person.project, text: 'The boss is Ann.' },
    ]);
  });

  it('changes a text, and moves an item to all workspaces', async () => {
    expect((await run('edit', ['mine', '1', 'The boss is Bea.'])).out).toContain('Bea');
    const { out } = await run('edit', ['mine', '1'], { allWorkspaces: true });
    expect(out).toContain(' · all workspaces\n');
  });

  it('refuses to move what came from untrusted content until it is confirmed', async () => {
    const { code } = await run('edit', ['mine', '2'], { allWorkspaces: true });
    expect(String(code)).toContain('confirm it first');
    expect((await run('edit', ['mine', '2'], { allWorkspaces: true, confirm: true })).code).toBe(0);
  });

  it('deletes items, and says where their text remains', async () => {
    const { code, out } = await run('forget', ['mine', '1', '2']);
    expect([code, out]).toEqual([0, expect.stringContaining('capstan runs delete bbbbcccc')]);
    expect((await run('list', ['mine'])).out).toBe('Nothing is remembered.\n');
  });

  it.each([
    ['edit', ['mine', '1'], {}, 'Say what to change'],
    ['edit', ['mine', '1'], { allWorkspaces: true, thisWorkspace: true }, 'not both'],
    ['edit', ['mine', 'one', 'x'], {}, '"one" is not the number of an item'],
    ['edit', ['mine', '1', ' '], {}, 'text: it is empty'],
    ['edit', ['mine', '9', 'x'], {}, 'has no memory item with the id 9'],
    ['forget', ['other', '1'], {}, 'other'],
  ])('refuses %s %j %j', async (name, positionals, options, message) => {
    expect(String((await run(name, positionals, options)).code)).toContain(message);
  });
});

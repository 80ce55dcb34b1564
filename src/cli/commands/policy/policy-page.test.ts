import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ioOf } from '../../../../test/programs/recorded-io.ts';
import { type Person, temporaryPerson } from '../../../../test/setup/temporary-person.ts';
import { rulesFields } from '../../../policy/rules/rules-schema.ts';
import { command } from './policy.ts';

const page = readFileSync(join(import.meta.dirname, '../../../../docs/policy.md'), 'utf8');

let person: Person;
beforeEach(() => {
  person = temporaryPerson();
});
afterEach(() => person.remove());

describe('docs/policy.md', () => {
  const [, rules = ''] = /```yaml\n(.*?)```/s.exec(page) ?? [];

  it('shows a valid rules file and the output of `policy test` for it', async () => {
    const file = person.writeOwn('policy.yaml', rules);
    const io = ioOf({ environment: person.environment, cwd: person.project });
    const test = command.subcommands?.find(({ name }) => name === 'test');
    expect(await test?.run({ positionals: [], options: {} }, io)).toBe(0);
    expect(page).toContain(io.out().replaceAll(file, '/home/ada/.config/capstan/policy.yaml'));
  });

  it('describes every field of a rule', () => {
    const missing = rulesFields.filter((field) => !new RegExp(`\\b${field}\\b`).test(page));
    expect(missing).toEqual([]);
  });
});

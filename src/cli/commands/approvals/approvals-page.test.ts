import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { command as audit } from '../account/audit.ts';
import { command as approvals } from './approvals.ts';

const page = readFileSync(join(import.meta.dirname, '../../../../docs/approvals.md'), 'utf8');

/** The names that a command line uses: `capstan approvals approve`, `--remember`. */
const named = [...page.matchAll(/capstan (approvals|audit) (\w+)([^\n]*)/g)].map(
  ([, name = '', sub = '', rest = '']) => ({ name, sub, rest }),
);

describe('docs/approvals.md', () => {
  it.each(named)('names an existing command: $name $sub$rest', ({ name, sub, rest }) => {
    const parent = name === 'audit' ? audit : approvals;
    const found = parent.subcommands?.find((one) => one.name === sub);
    const flags = found?.options.map((option) => /--[a-z]+/.exec(option.flags)?.[0]);
    expect(found).toBeDefined();
    for (const [flag] of rest.matchAll(/(?<=\s)--[a-z]+/g)) expect(flags).toContain(flag);
  });

  it('describes every subcommand', () => {
    const missing = approvals.subcommands?.filter(({ name }) => !page.includes(name));
    expect(missing?.map(({ name }) => name)).toEqual([]);
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commands } from '../../commands.ts';
import { findCommand } from '../../help/find-command.ts';
import { command as approvals } from './approvals.ts';

const page = readFileSync(join(import.meta.dirname, '../../../../docs/approvals.md'), 'utf8');

/** The command lines of the page: `approvals approve`, and its arguments. */
const named = [...page.matchAll(/capstan ((?:approvals|runs audit) \w+)([^\n]*)/g)].map(
  ([, words = '', rest = '']) => ({ words, rest }),
);

describe('docs/approvals.md', () => {
  it.each(named)('names an existing command: $words$rest', ({ words, rest }) => {
    const found = findCommand(words.split(' '), commands);
    const flags = Object.keys(found.definition?.options ?? {}).map(
      (option) => /--[a-z]+/.exec(option)?.[0],
    );
    expect(found.path).toBe(`capstan ${words}`);
    for (const [flag] of rest.matchAll(/(?<=\s)--[a-z]+/g)) expect(flags).toContain(flag);
  });

  it('describes every subcommand', () => {
    const missing = approvals.subcommands?.filter(({ name }) => !page.includes(name));
    expect(missing?.map(({ name }) => name)).toEqual([]);
  });
});

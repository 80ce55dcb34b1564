import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CommandDefinition } from '../command.ts';
import { commands } from '../commands.ts';
import { standard } from '../options/standard-options.ts';
import { aliases } from './aliases.ts';
import { groupHelp, isGroup, rootHelp } from './command-group.ts';
import { findCommand } from './find-command.ts';
import { parseLeaf } from './leaf-parser.ts';

const withPaths = (one: CommandDefinition, parent = 'capstan'): [string, CommandDefinition][] => {
  const path = `${parent} ${one.name}`;
  return [[path, one], ...(one.subcommands ?? []).flatMap((sub) => withPaths(sub, path))];
};
const all = commands.flatMap((one) => withPaths(one));
const groups = all.filter(([, one]) => isGroup(one));
const leaves = all.filter((one) => !groups.includes(one));
const page = readFileSync(join(import.meta.dirname, '../../../docs/cli.md'), 'utf8');

function helpOf(definition: CommandDefinition, path: string): string {
  const parsed = parseLeaf(definition, path, ['--help']);
  return 'help' in parsed ? parsed.help : '';
}

describe('the help of capstan', () => {
  it('lists the commands by topic', () => {
    const lines = rootHelp(commands).split('\n');
    expect(lines.slice(0, 6)).toEqual([
      'Usage: capstan ["task"] | capstan <command> [options]',
      'Runs AI agents on your own machine without handing them the keys to it.',
      'Without a command it opens a conversation in this folder; -c continues the last.',
      'Work     run         Carry out one task and print its answer',
      '         resume      Continue a parked or failed run',
      '         runs        List, show, follow, undo, replay and delete runs',
    ]);
    const topics = lines.flatMap((line) => /^[A-Z][a-z]+( [a-z]+)?(?= {2})/.exec(line)?.[0] ?? []);
    expect(topics).toEqual(['Work', 'Set up', 'Extend']);
  });

  it.each(commands)('names $name below a topic', ({ name, topic }) => {
    expect(['Work', 'Set up', 'Extend']).toContain(topic);
    expect(rootHelp(commands)).toMatch(new RegExp(` ${name} {2,}\\S`));
  });

  it('is at most 80 columns wide', () => {
    const lines = rootHelp(commands).split('\n');
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });
});

describe('the help of a group', () => {
  it('has one command per line, by topic', () => {
    const [, approvals] = all.find(([path]) => path === 'capstan approvals') ?? [];
    expect(approvals && groupHelp(approvals, 'capstan approvals')).toBe(`\
Usage: capstan approvals <command> [question]
Name a question by the last 8 characters of its id.
Inspect  list     List the open questions of all workspaces, oldest first
         show     Show one question with the full request
Answer   approve  Approve a request (once)
         deny     Deny a request
         answer   Answer a question with one of its choices or in your own words
`);
  });

  it.each(groups)('of %s names each command once, at most 80 columns wide', (path, group) => {
    const text = groupHelp(group, path);
    expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
    for (const { name } of group.subcommands ?? [])
      expect(text.match(new RegExp(`^(?:[A-Z]\\w*)? +${name} {2,}[A-Z]`, 'gm'))).toHaveLength(1);
  });
});

describe('the help of a command', () => {
  it.each(leaves)('%s is at most 80 columns wide, apart from examples', (path, leaf) => {
    const [text = ''] = helpOf(leaf, path).split('\nExamples:');
    expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  it.each(['delete', 'prune'])('says what of a run remains after runs %s', (name) => {
    const path = `capstan runs ${name}`;
    const [, leaf] = leaves.find(([one]) => one === path) ?? [];
    const text = leaf ? helpOf(leaf, path).replace(/\s+/g, ' ') : '';
    expect(text).toContain('time, capsule, model, tokens and cost of paid calls remain');
  });

  it('leaves out options that only an alias needs', () => {
    const [, cost] = leaves.find(([path]) => path === 'capstan runs cost') ?? [];
    expect(cost && helpOf(cost, 'capstan runs cost')).not.toContain('--run');
    expect(page).not.toContain('`--run <run>` the run');
  });
});

describe('an option that several commands have', () => {
  /** Lists of events, trust that needs a confirmation, what can be set up, and a plan with its estimated cost. */
  const ownMeaning = [
    'capstan runs logs --json',
    'capstan runs follow --json',
    'capstan config trust --json',
    'capstan setup --provider <name>',
    'capstan run --dry-run',
  ];

  const shared = Object.values(standard).flatMap((one) => Object.entries(one));
  it.each(shared)('has one wording: %s', (flags, description) => {
    const others = leaves
      .filter(([path]) => !ownMeaning.includes(`${path} ${flags}`))
      .filter(([, { options }]) => (options[flags] ?? description) !== description);
    expect(others.map(([path]) => path)).toEqual([]);
  });

  it('has one short form', () => {
    const forms = new Map<string, Set<string>>();
    for (const flags of leaves.flatMap(([, { options }]) => Object.keys(options))) {
      const [long = ''] = /--[\w-]+/.exec(flags) ?? [];
      forms.set(long, (forms.get(long) ?? new Set()).add(flags.match(/^-\w\b/)?.[0] ?? ''));
    }
    expect([...forms].filter(([, shorts]) => shorts.size > 1)).toEqual([]);
  });
});

describe('an alias', () => {
  it.each(Object.entries(aliases))('%s is %s', (alias, words) => {
    const meant = findCommand(words.split(' '), commands);
    expect(findCommand([...alias.split(' '), 'x'], commands)).toEqual({ ...meant, rest: ['x'] });
    expect(meant.rest).toEqual([]);
  });

  it.each(Object.keys(aliases))('%s is in no help and on no page', (alias) => {
    expect(rootHelp(commands)).not.toMatch(new RegExp(`^ *(?:\\w+ +)?${alias} {2,}`, 'm'));
    expect(page).not.toContain(`capstan ${alias}`);
  });
});

it('docs/cli.md is at most 300 lines long', () => {
  expect(page.trimEnd().split('\n').length).toBeLessThanOrEqual(300);
});

import { expect, it } from 'vitest';
import { ioOf } from '../../../test/programs/recorded-io.ts';
import { AppError, errorCodes } from '../../contract/errors.ts';
import { commands } from '../commands.ts';
import { findCommand } from '../help/find-command.ts';
import { printError, triesOf } from './print-error.ts';

const lists = new Set(['known', 'roots', 'runs', 'ids', 'places', 'choices', 'found']);

/** Any details that an error may have. */
const anyDetails = new Proxy(
  {},
  { get: (_target, name) => (lists.has(String(name)) ? ['some'] : 'some') },
);

it.each(errorCodes)('%s ends with a valid command', (code) => {
  const error = new AppError(code, anyDetails as never);
  const io = ioOf({ environment: {}, cwd: '/' });
  printError(io, error);
  const [, line = ''] = /\n {2}Try: (capstan .+)\n/.exec(io.errors()) ?? [];
  const { path, definition } = findCommand(line.split(' ').slice(1), commands);
  expect({ line, path }).toEqual({ line: expect.stringContaining(path), path });
  expect(definition !== undefined || line === 'capstan --help').toBe(true);
  expect(line).not.toMatch(/undefined|null|\[object/);
});

it('so does an unexpected error', () => {
  expect(triesOf(new Error('boom'))).toEqual(['capstan doctor']);
});

it('a wrong argument suggests the help of its command', () => {
  const error = new AppError('USAGE', { problem: 'No.' });
  expect(triesOf(error, 'capstan runs wait')).toEqual(['capstan runs wait --help']);
});

it('repeats the command with the id that was probably meant', () => {
  const error = new AppError('USAGE', { problem: 'x', id: '0199a1b2-0000-7000-8000-00003f9c0a12' });
  expect(triesOf(error, 'capstan runs undo')).toEqual(['capstan runs undo 3f9c0a12']);
});

it('wrong values of options do the same, those of files suggest the check', () => {
  const found = [{ where: 'x', problem: 'is wrong', option: { name: 'timeout', value: 'y' } }];
  const settings = (list: typeof found) =>
    triesOf(new AppError('SETTINGS_INVALID', { issues: 'x', found: list }), 'capstan run');
  expect(settings(found)).toEqual(['capstan run --help']);
  expect(settings([])).toEqual(['capstan doctor']);
});

it.each([
  ['MANIFEST_INVALID', { path: '/a/minutes/manifest.json', issues: 'x', found: [] }],
  ['SKILL_UNKNOWN', { where: '/a/minutes/manifest.json', skill: 'x', known: [] }],
  ['TEMPLATE_INVALID', { where: '/a/minutes/skill.md:3', problem: 'x' }],
] as const)('%s in a file of a capsule suggests to check its folder', (code, details) => {
  const error = new AppError(code, details as never);
  expect(triesOf(error)).toEqual(['capstan capsules check "/a/minutes"']);
});

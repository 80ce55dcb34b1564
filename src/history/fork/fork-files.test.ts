import { describe, expect, it } from 'vitest';
import type { IntentRecord } from '../../contract/intent.ts';
import { expectedEffects, movePath } from './fork-files.ts';

const intent = (id: string, changes: Partial<IntentRecord> = {}) =>
  ({
    id,
    name: 'file_io.write',
    target: 'a.md',
    tier: 1,
    repeatability: 'idempotent',
    status: 'done',
    subtaskId: 's1',
    effects: undefined,
    ...changes,
  }) as IntentRecord;

describe('the expected files of a folder after a history', () => {
  const run = { workspace: '/old' };
  const wrote = (path: string, after: string | null) => ({
    effects: [{ path, before: 'absent', after, diff: null }],
  });

  it('has the last content of each file in the new folder; files outside are not copied', () => {
    const history = [
      intent('1', wrote('/old/a.md', 'x')),
      intent('2', wrote('/old/a.md', 'y')),
      intent('3', wrote('/older/b.md', 'z')),
    ];
    const point = { intent: intent('3'), number: 3, history };
    expect(expectedEffects(point, run, '/new')).toEqual({
      files: [
        { path: '/new/a.md', sha256: 'y', subtaskId: 's1' },
        { path: '/older/b.md', sha256: 'z', subtaskId: 's1' },
      ],
      others: [],
    });
  });

  it('lists effects that no file shows, and leaves out denied and reading requests', () => {
    const command = intent('1', { name: 'terminal.write', repeatability: 'unsafe', tier: 2 });
    const history = [
      command,
      intent('2', { status: 'denied' }),
      intent('3', { tier: 0, repeatability: 'pure' }),
    ];
    const point = { intent: command, number: 3, history };
    expect(expectedEffects(point, run, '/new')).toEqual({ files: [], others: [command] });
  });

  it.each([
    ['/old/a/b.md', '/new/a/b.md'],
    ['/old', '/new'],
    ['/old/..a', '/new/..a'],
    ['/older/a', '/older/a'],
    ['/a', '/a'],
  ])('moves %s to %s', (path, to) => {
    expect(movePath(path, '/old', '/new')).toBe(to);
  });

  it('does not touch files outside a workspace', () => {
    expect(movePath('/a/shared/x', '/a/ws', '/c/d/ws')).toBe('/a/shared/x');
  });
});

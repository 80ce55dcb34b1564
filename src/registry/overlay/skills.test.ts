import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { failedWith } from '../../contract/errors.ts';
import { loadSkills, readFrontMatter } from './skills.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'capstan-skills-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text: string | Uint8Array): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const skill = (name: string, description: string, body = 'How to do it.') =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}\n`;

describe('the skill catalogue', () => {
  test('is made of the files that are there: adding a skill is adding a file', async () => {
    write('terminal.md', skill('Terminal', 'Runs commands.'));
    write('data-analysis/SKILL.md', skill('data-analysis', 'Counts and groups.'));
    write('data-analysis/references/more.md', 'no skill');
    write('README.md', '# Skills');
    write('notes.txt', 'no skill');
    const { catalogue, problems } = await loadSkills([
      { dir: root },
      { dir: join(root, 'absent') },
    ]);
    expect(problems).toEqual([]);
    expect(catalogue.list().map(({ id, name }) => [id, name])).toEqual([
      ['data-analysis', 'data-analysis'],
      ['terminal', 'Terminal'],
    ]);
    expect(catalogue.get('terminal', 'x')).toMatchObject({
      description: 'Runs commands.',
      body: 'How to do it.',
    });
  });

  test('names a skill that does not exist, its user, and the known ones', async () => {
    write('git.md', skill('Git', 'Version control.'));
    const { catalogue } = await loadSkills([{ dir: root }]);
    for (const id of ['gti', 'constructor', '__proto__']) {
      let thrown: unknown;
      try {
        catalogue.get(id, 'agents/a/manifest.json');
      } catch (error) {
        thrown = error;
      }
      expect(failedWith(thrown, 'SKILL_UNKNOWN')).toBe(true);
      expect(String(thrown)).toContain(`"${id}"`);
      expect(String(thrown)).toContain('agents/a/manifest.json');
      expect(String(thrown)).toContain('Known: git.');
    }
  });

  test.each([
    ['no front matter', 'just text', 'does not start with front matter'],
    ['no description', '---\nname: x\n---\nbody', 'description'],
    ['an empty description', '---\nname: x\ndescription: ""\n---\nbody', 'description'],
    ['invalid YAML', '---\nname: [x\n---\nbody', ''],
    ['a list in place of names', '---\n- a\n- b\n---\nbody', 'names and values'],
    ['more bytes than allowed', skill('Big', 'Big.', 'x'.repeat(300_000)), 'bytes'],
  ])('leaves out a file and reports it: %s', async (_title, text, problem) => {
    write('broken.md', text);
    write('fine.md', skill('Fine', 'Works.'));
    const { catalogue, problems } = await loadSkills([{ dir: root }]);
    expect(catalogue.list().map(({ id }) => id)).toEqual(['fine']);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain('broken.md was left out');
    expect(problems[0]).toContain(problem);
  });

  test('ignores symbolic links and reports them', async () => {
    write('away/SKILL.md', skill('away', 'Elsewhere.'));
    write('here/linked/notes.md', 'no skill');
    symlinkSync(join(root, 'away'), join(root, 'here/folder'));
    symlinkSync(join(root, 'away/SKILL.md'), join(root, 'here/file.md'));
    symlinkSync('/etc/passwd', join(root, 'here/linked/SKILL.md'));
    write('here/bytes.md', Buffer.from([0x2d, 0x2d, 0x2d, 0x0a, 0xff]));
    const { catalogue, problems } = await loadSkills([{ dir: join(root, 'here') }]);
    expect(catalogue.list()).toEqual([]);
    const links = problems.filter((text) => text.includes('it is a link'));
    expect(links.map((text) => text.slice(root.length).split(' ')[0])).toEqual([
      '/here/file.md',
      '/here/folder',
      '/here/linked/SKILL.md',
    ]);
    expect(problems[0]).toContain('bytes.md was left out: it is not UTF-8');
  });

  test('leaves out names that are not ids, and an id that is already taken', async () => {
    write('first/My Skill.md', skill('x', 'y'));
    write('first/git.md', skill('Git', 'The first.'));
    write('second/git.md', skill('Git', 'The second.'));
    const { catalogue, problems } = await loadSkills([
      { dir: join(root, 'first') },
      { dir: join(root, 'second') },
    ]);
    expect(catalogue.get('git', 'x').description).toBe('The first.');
    expect(problems).toHaveLength(2);
    expect(problems.join()).toContain('"My Skill" is not a skill id');
    expect(problems.join()).toContain('already taken');
  });
});

describe('a skill of the Agent Skills standard', () => {
  test('is read with all of its fields, including unknown ones', async () => {
    const fields = [
      'license: MIT',
      'compatibility: Needs git.',
      'metadata:\n  version: "1.0"',
      'allowed-tools: terminal file_io',
      'model: any',
    ];
    write(
      'pdf-forms/SKILL.md',
      `---\nname: pdf-forms\ndescription: Fills forms.\n${fields.join('\n')}\n---\n\n# Forms\n`,
    );
    const { catalogue, problems } = await loadSkills([{ dir: root }]);
    expect(problems).toEqual([]);
    expect(catalogue.get('pdf-forms', 'x')).toMatchObject({
      tools: ['terminal', 'file_io'],
      body: '# Forms',
      bodyLine: 12,
    });
  });

  test.each([
    ['name: x\ndescription: [a]', 'line 3: description: it must be a text'],
    ['name: x', 'line 1: description: it is missing; add it'],
    ['name: x\ndescription: y\nlicense: [z', 'line 4: its front matter is not YAML'],
  ])('%j: the line is reported', async (yaml, problem) => {
    write('broken/SKILL.md', `---\n${yaml}\n---\nbody`);
    const { problems } = await loadSkills([{ dir: root }]);
    expect(problems.join()).toContain(problem);
  });

  test('of a project counts only where it is trusted, and never takes the id of a stronger one', async () => {
    write('shipped/git.md', skill('Git', 'Ships.'));
    write('project/git.md', skill('Git', 'Of the project.'));
    write('project/own/SKILL.md', skill('own', 'Trusted.'));
    write('project/other/SKILL.md', skill('other', 'Not trusted.'));
    const { catalogue } = await loadSkills([
      { dir: join(root, 'shipped') },
      { dir: join(root, 'project'), isTrusted: (name) => name !== 'other' },
    ]);
    expect(catalogue.list().map(({ description }) => description)).toEqual(['Ships.', 'Trusted.']);
  });
});

describe('front matter', () => {
  test.each([
    [
      'plain values',
      'name: a b\ndescription: Does x, y and z.',
      { name: 'a b', description: 'Does x, y and z.' },
    ],
    [
      'a colon in a plain value',
      'description: Use when: always',
      { description: 'Use when: always' },
    ],
    ['quoted values', 'description: "a: \\"b\\""', { description: 'a: "b"' }],
    ['folded text', 'description: >-\n  one\n  two', { description: 'one two' }],
    [
      'nested values',
      'name: a\nmetadata:\n  capstan-x: "1"',
      { name: 'a', metadata: { 'capstan-x': '1' } },
    ],
    [
      'plain values one step in',
      'name: a\nmetadata:\n  version: 1.0.0\n  by: me\nlicense: MIT',
      { name: 'a', metadata: { version: '1.0.0', by: 'me' }, license: 'MIT' },
    ],
    ['deeper values', 'a:\n  b:\n    c: d', { a: { b: { c: 'd' } } }],
    ['comments', '# note\nname: a # why', { name: 'a' }],
    ['nothing', '', {}],
  ])('reads %s', async (_title, yaml, attributes) => {
    const read = await readFrontMatter(`---\n${yaml}\n---\nbody`);
    expect(read).toMatchObject({ attributes, body: 'body' });
  });

  test('reads CRLF and a byte order mark', async () => {
    expect(await readFrontMatter('\uFEFF---\r\nname: a\r\n---\r\nbody')).toMatchObject({
      attributes: { name: 'a' },
      body: 'body',
    });
  });

  test('refuses a bomb of aliases', async () => {
    const levels = Array.from(
      { length: 9 },
      (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}, *a${i}]`,
    );
    const yaml = ['a0: &a0 [x]', ...levels].join('\n');
    await expect(readFrontMatter(`---\n${yaml}\n---\n`)).rejects.toThrow(/alias/i);
  });
});

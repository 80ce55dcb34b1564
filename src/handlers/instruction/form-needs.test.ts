import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { countForms, countResultForms } from '../files/count-text.ts';
import { editForms } from '../files/edit-files.ts';
import { listForms } from '../files/list-files.ts';
import { readForms } from '../files/read-files.ts';
import { saveForms } from '../files/save-results.ts';
import { searchForms, searchResultForms } from '../files/search-text.ts';
import { patternOf } from './form.ts';
import { mayFit } from './form-needs.ts';
import { readInstruction } from './instruction.ts';

const agents = join(import.meta.dirname, '../../../agents');
const kinds = { file: 'f', glob: 'g', url: 'u', quote: 'q', code: 'c', fence: 'b' };

const examples = readdirSync(agents)
  .filter((id) => id !== 'skills')
  .flatMap((id) => {
    const manifest = JSON.parse(readFileSync(join(agents, id, 'manifest.json'), 'utf8')) as {
      task_kinds: { examples: string[] }[];
    };
    return manifest.task_kinds.flatMap((kind) => kind.examples);
  });

const forms = [
  ...countForms,
  ...countResultForms,
  ...editForms,
  ...listForms,
  ...readForms,
  ...saveForms,
  ...searchForms,
  ...searchResultForms,
];

describe('mayFit', () => {
  it('never rules out a form that fits', () => {
    for (const task of examples) {
      const { line } = readInstruction(task);
      for (const { spelling } of forms) {
        if (!patternOf(spelling).test(line)) continue;
        expect([line, spelling, mayFit(line.toLowerCase(), spelling, kinds)]).toEqual([
          line,
          spelling,
          true,
        ]);
      }
    }
  });

  it.each([
    ['count lines of «f0»', '(?:count|how many) lines of <file:file>', true],
    ['show lines of «f0»', '(?:count|how many) lines of <file:file>', false],
    ['count lines of «q0»', '(?:count|how many) lines of <file:file|glob>', false],
    ['count lines of «g0»', '(?:count|how many) lines of <file:file|glob>', true],
    ['read «f0»', 'reads? <file:file>', true],
    ['read 3 «f0»', 'read(?: <n:n>)? <file:file>', true],
    ['anything', '(?<all>[^«]+)', true],
    ['a b', '(?!x)(?:a|b) (?:c)?b', true],
    ['say hi (now', 'say hi \\(now', true],
  ])('looks at "%s" for %s: %s', (line, spelling, expected) => {
    expect(mayFit(line, spelling, kinds)).toBe(expected);
  });

  it('reads spellings that have no alternatives outside of brackets', () => {
    for (const { spelling } of forms) {
      let bare = spelling
        .replaceAll(/\\./g, '')
        .replaceAll(/\[[^\]]*\]/g, '')
        .replaceAll(/<\w+:[\w|]+\+?>/g, '');
      for (let before = ''; before !== bare; ) {
        before = bare;
        bare = bare.replaceAll(/\([^()]*\)/g, '');
      }
      expect(bare).not.toContain('|');
    }
  });
});

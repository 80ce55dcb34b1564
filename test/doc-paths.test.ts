import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sourceFiles } from './sources/source-imports.ts';

const root = join(import.meta.dirname, '..');
const docs = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...docs.map((name) => `docs/${name}`),
];

/** Targets of links, as paths from the root, without addresses and anchors in the same page. */
const linksOf = (page: string, text: string): string[] =>
  [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target.replace(/#.*/, ''))
    .filter((target) => target !== '' && !/^[a-z]+:/.test(target))
    .map((target) => join(dirname(page), target));

/** Source files in back-ticks, from the root or from `src/`, without placeholders (`<name>`). */
const filesOf = (text: string): string[] => [
  ...[...text.matchAll(/`((?:src|bench|test|scripts|bin)\/[^`\s<>*]+)`/g)].map(
    ([, path = '']) => path,
  ),
  ...[...text.matchAll(/`((?!src\/|test\/|bench\/|scripts\/)[a-z-]+\/[\w./-]+\.tsx?)`/g)].map(
    ([, path = '']) => (/^(?:offline|agents|examples)\//.test(path) ? path : `src/${path}`),
  ),
];

describe('the paths in the pages exist', () => {
  it.each(pages)('%s', (page) => {
    const text = readFileSync(join(root, page), 'utf8');
    const named = [...linksOf(page, text), ...filesOf(text)];
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

/** Source files in back-ticks in comments. */
const commentedFiles = (text: string): string[] =>
  [...text.matchAll(/\/\*.*?\*\/|(?<![:'"`])\/\/[^\n]*/gs)].flatMap(([comment]) =>
    [...comment.matchAll(/`([\w./-]*\w\.tsx?)`/g)].map(([, path = '']) => path),
  );

it('the paths in the comments exist: from the file, or the end of a path', () => {
  const files = ['src', 'offline'].flatMap((folder) =>
    sourceFiles(join(root, folder)).map((file) => `${folder}/${file}`),
  );
  const exists = (path: string, file: string) =>
    existsSync(join(root, dirname(file), path)) ||
    files.some((one) => one === path || one.endsWith(`/${path}`));
  const missing = files.flatMap((file) =>
    commentedFiles(readFileSync(join(root, file), 'utf8'))
      .filter((path) => !exists(path, file))
      .map((path) => `${file}: ${path}`),
  );
  expect(missing).toEqual([]);
});

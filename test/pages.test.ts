import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { printed } from '../scripts/launcher-texts.ts';
import { cliPage } from '../scripts/pages/cli-page.ts';
import { errorsPage } from '../scripts/pages/errors-page.ts';
import { toolsPage } from '../scripts/pages/tools-page.ts';
import { authorSchemas } from '../scripts/types/author-schemas.ts';
import { errorCodes } from '../src/contract/errors.ts';

const root = join(import.meta.dirname, '..');
const page = (path: string) => readFileSync(join(root, path), 'utf8');
const fix = 'out of date: npm run pages';

describe('generated pages', () => {
  it('docs/cli.md lists the current commands', () => {
    expect(page('docs/cli.md'), fix).toBe(cliPage());
  });

  it('docs/errors.md lists the current errors', () => {
    expect(page('docs/errors.md'), fix).toBe(errorsPage());
  });

  it('docs/tools.md lists the current arguments of the tools', () => {
    expect(page('docs/tools.md'), fix).toBe(toolsPage(page('docs/tools.md')));
  });

  it.each([...authorSchemas()])('docs/%s is drawn from the code', (name, text) => {
    expect(page(`docs/${name}`), fix).toBe(text);
  });

  it('docs/errors.md has a message for every code', () => {
    const codes = [...errorsPage().matchAll(/^\| `(\w+)` \| \S/gm)].map(([, code]) => code);
    expect(codes).toEqual(errorCodes);
    expect(errorsPage()).not.toMatch(/NaN|undefined|\[object/);
  });
});

describe('the texts of the launcher', () => {
  const texts = () => JSON.parse(page('dist/launcher.json'));

  it.each([
    ['--help', 'help'],
    ['--version', 'version'],
  ])('%s is the output of the program', async (argument, field) => {
    expect(texts()[field]).toBe(await printed(root, argument));
  });
});

describe('links between pages', () => {
  const pages = ['.', 'docs'].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(folder, name)),
  );
  const links = pages.flatMap((from) =>
    [...page(from).matchAll(/\]\(([^)#:\s]+)[^)\s]*\)/g)].map(([, to = '']) => ({
      from,
      to: relative('.', join(dirname(from), to)),
    })),
  );

  it.each(links)('$from links to $to, which is there', ({ to }) => {
    expect(existsSync(join(root, to))).toBe(true);
  });
});

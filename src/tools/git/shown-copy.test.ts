import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { copyAt } from './shown-copy.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'capstan-shown-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});
const put = (content: string): string => {
  const path = join(folder, 'config');
  writeFileSync(path, content, 'latin1');
  return path;
};
const header = '[http]\n\textraheader = S3CRET\n';

it('a configuration without a credential is seen as it is', () => {
  expect(copyAt(put('[a]\n\tb = c\n'))).toBeUndefined();
  expect(copyAt(put(''))).toBeUndefined();
  expect(copyAt(join(folder, 'none'))).toBeUndefined();
});

it('a NUL byte does not show a credential', () => {
  expect(copyAt(put(`# \0\n${header}`))?.toString('latin1')).toBe('# \0\n[http]\n');
});

it('a file that is too long to be examined is hidden, whatever it contains', () => {
  const comment = '# x\n'.repeat(300_000);
  expect(copyAt(put(`${header}${comment}`))).toBe('unreadable');
  expect(copyAt(put(comment))).toBe('unreadable');
});

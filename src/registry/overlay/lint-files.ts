import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isCasePath } from '../../config/files/agent-folders.ts';
import { decode } from '../../config/yaml/text-file.ts';
import type { Capsule } from '../capsule-store.ts';
import { listFiles } from '../files/capsule-hash.ts';
import type { Finding } from '../finding.ts';
import { lintCharacters } from './lint-characters.ts';
import { lintPipedShell } from './lint-piped-shell.ts';

const MANIFEST = 'manifest.json';
const MAX_BYTES = 256 * 1024;
const MAX_FOUND = 5;

/**
 * Finds hidden characters, and commands that run downloaded code, in the texts of a capsule's folder but `skill.md`
 * and `cases/`. Hidden characters of the manifest are errors, since people and models read it.
 */
export const lintFiles = ({ dir }: Pick<Capsule, 'dir'>): Finding[] =>
  listFiles(dir)
    .filter((path) => path !== 'skill.md' && !isCasePath(path))
    .flatMap((path) => lintFile(join(dir, path), path === MANIFEST));

function lintFile(path: string, isManifest: boolean): Finding[] {
  const text = textIn(path);
  if (text === undefined) return [];
  const hidden = text.split('\n').flatMap((line, index) => {
    const shown = isManifest ? unescaped(line) : line;
    return lintCharacters(shown, `${path}:${index + 1}`);
  });
  return [...hidden.slice(0, MAX_FOUND).map(asOfFile(isManifest)), ...lintPipedShell(text, path)];
}

const asOfFile =
  (isManifest: boolean) =>
  (finding: Finding): Finding => ({
    ...finding,
    rule: isManifest ? 'manifest.invisible' : 'capsule.invisible',
    severity: isManifest ? 'error' : 'warning',
    fix: 'Remove them, or write them as escapes: they can make a text look like another one.',
  });

/** Undefined if the file is long or not text. A byte order mark at its beginning is left out. */
function textIn(path: string): string | undefined {
  const bytes = readFileSync(path);
  if (bytes.length > MAX_BYTES || bytes.includes(0)) return undefined;
  const decoded = decode(bytes);
  return 'text' in decoded ? decoded.text : undefined;
}

/** A line of JSON with its escaped characters, except line breaks and tabs. */
const unescaped = (line: string): string =>
  line.replace(/\\u([0-9a-f]{4})/gi, (written, digits: string) =>
    /^00(?:09|0a|0d)$/i.test(digits) ? written : String.fromCharCode(Number.parseInt(digits, 16)),
  );

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isCasePath } from '../../config/files/agent-folders.ts';
import { decode } from '../../config/yaml/text-file.ts';
import { escapeText, replaceUnseen } from '../../contract/text/escape-text.ts';
import { printable } from '../../contract/text/printable.ts';
import type { Capsule } from '../capsule-store.ts';
import { listFiles } from '../files/capsule-hash.ts';
import { type Finding, fault, warning } from '../finding.ts';

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

/**
 * Finds characters that a person can't see and a model reads: control, bidirectional, joining and tag characters, lone
 * surrogates. Tabs, the end of a line in the form of Windows and the variation selector of an emoji are allowed.
 */
export function lintCharacters(line: string, where: string): Finding[] {
  const unseen = new Set<string>();
  const collect = (character: string): string => {
    unseen.add(escapeText(character));
    return '';
  };
  replaceUnseen(line.replace(EMOJI_STYLE, '').replace(/\r$/, ''), collect, true);
  if (unseen.size === 0) return [];
  const shown = [...unseen].slice(0, MAX_SHOWN).join(', ');
  const problem = `it contains invisible characters (${shown})`;
  const fix = "Remove them: models read what people can't see.";
  return [fault('overlay.invisible', where, problem, fix)];
}

const MAX_SHOWN = 5;
const EMOJI_STYLE = /(?<=\p{Extended_Pictographic})\ufe0f/gu;

const interpreter = String.raw`(?:(?:ba|z|da|k|fi)?sh|python[\d.]*|node|perl|ruby|php|pwsh|powershell)\b`;
// Each word is one of these at most: no text has two readings, and so none takes long.
const folder = String.raw`(?!-)(?:[\w.~$/-]*\/)?`;
const wrapper = `${folder}(?:sudo|env|exec|nohup|xargs|nice|time|command)`;
const assignment = String.raw`\w+=(?:"[^"\n]{0,200}"|'[^'\n]{0,200}'|[^\s"'|;&]*)`;
const option = String.raw`-[^\s|;&]*(?:[ \t]+(?!${wrapper}\b)[^\s=|;&-][^\s=|;&]*)?`;
const words = (...kinds: string[]) => String.raw`(?:(?:${kinds.join('|')})[ \t]+){0,20}`;
const wrappers = String.raw`${wrapper}[ \t]+${words(wrapper, assignment, option)}`;
const shell = String.raw`[\s({"']*${words(assignment)}(?:${wrappers})?["']?${folder}(?:${interpreter}|iex\b)`;
const download = String.raw`\b(?:curl|wget|aria2c|fetch(?=\s+-)|base64|iwr|irm|invoke-webrequest|invoke-restmethod)\b`;

/** `curl … | sh`, `bash <(curl …)`, `sh -c "$(curl …)"`, `iex (iwr …)`. */
const patterns: readonly RegExp[] = [
  new RegExp(String.raw`${download}[^\n]{0,300}?\|&?${shell}`, 'gi'),
  new RegExp(
    String.raw`(?:\b${interpreter}|\bsource|(?<!\S)\.)[ \t][^\n]{0,40}?<\(\s*${download}`,
    'gi',
  ),
  new RegExp(
    String.raw`(?:\b${interpreter}\s+-\w*[cer]|\beval)\b[^\n]{0,40}?(?:\$\(|${'`'})\s*${download}`,
    'gi',
  ),
  new RegExp(
    String.raw`\b(?:iex|invoke-expression)\b[\s&("']{0,10}(?:${download}|new-object\b)`,
    'gi',
  ),
];

/** Finds commands that run downloaded code, at most five. */
export function lintPipedShell(text: string, path: string): Finding[] {
  // Joins continued lines into one command, without changing the length and so the positions.
  const flat = text.replace(/\\\r?\n/g, (end) => ' '.repeat(end.length));
  const matches = patterns.flatMap((pattern) => [...flat.matchAll(pattern)]);
  return matches
    .toSorted((a, b) => a.index - b.index)
    .slice(0, MAX_FOUND)
    .map(({ 0: command, index }) => {
      const where = `${path}:${text.slice(0, index).split('\n').length}`;
      const problem = `"${printable(command.replace(/\s+/g, ' '), 80)}" runs a downloaded program without a check`;
      const fix = 'Save the download, check it, and run it as its own step.';
      return warning('capsule.piped_shell', where, problem, fix);
    });
}

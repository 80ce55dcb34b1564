import { printable } from '../../contract/text/printable.ts';
import { type Finding, warning } from '../finding.ts';

const shell = String.raw`(?:sudo\s+(?:-\S+\s+)*)?(?:env\s+)?(?:[\w.~$/-]*\/)?(?:(?:ba|z|da|k|fi)?sh|python[\d.]*|node|perl|ruby|php|iex|pwsh|powershell)\b`;
const download = String.raw`\b(?:curl|wget|base64|iwr|irm|invoke-webrequest|invoke-restmethod)\b`;

/** `curl … | sh`, `bash <(curl …)`, `sh -c "$(curl …)"`, `iex (iwr …)`. */
const patterns: readonly RegExp[] = [
  new RegExp(String.raw`${download}[^\n]{0,300}?\|\s*${shell}`, 'gi'),
  new RegExp(
    String.raw`(?:\b(?:ba|z|da|k)?sh|\bsource|(?<!\S)\.)[ \t][^\n]{0,40}?<\(\s*${download}`,
    'gi',
  ),
  new RegExp(
    String.raw`(?:\b(?:ba|z|da|k)?sh\s+-\w*c|\beval)\b[^\n]{0,40}?(?:\$\(|${'`'})\s*${download}`,
    'gi',
  ),
  new RegExp(String.raw`\biex\b[\s&("']{0,10}(?:${download}|new-object\b)`, 'gi'),
];

const MAX_FOUND = 5;

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

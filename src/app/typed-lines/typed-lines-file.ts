import { appendFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../platform/text/canonical-hash.ts';
import { parseJson } from '../../platform/text/parse-json.ts';
import { codeOf } from '../../platform/try-or.ts';

const MAX_LINES = 1_000;
const MAX_CHARS = 10_000;
/** The file is shortened when it exceeds its limit by this many lines. */
const SLACK = 200;

/** The lines of one workspace: a file with one JSON string per line, readable only by its owner. */
export function typedLinesFile(stateDir: string, workspace: string) {
  const dir = join(stateDir, 'history');
  const name = sha256(workspace).slice(0, 32);
  const path = join(dir, `${name}.jsonl`);
  const readAll = () => readIfThere(path).split('\n').flatMap(parseLine);
  return {
    list: (): readonly string[] => readAll().slice(-MAX_LINES),
    add(line: string): void {
      if (line.trim() === '' || line.startsWith(' ') || line.length > MAX_CHARS) return;
      const lines = readAll();
      if (lines.at(-1) === line) return;
      mkdirSync(dir, { recursive: true, mode: 0o700 });
      if (lines.length < MAX_LINES + SLACK) {
        appendFileSync(path, `${JSON.stringify(line)}\n`, { mode: 0o600 });
        return;
      }
      const kept = [...lines, line].slice(-MAX_LINES);
      const text = kept.map((one) => `${JSON.stringify(one)}\n`).join('');
      const whole = `${path}.${process.pid}`;
      writeFileSync(whole, text, { mode: 0o600 });
      renameSync(whole, path);
    },
  };
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return '';
    throw error;
  }
}

/** A truncated line is left out. */
function parseLine(text: string): string[] {
  const line = parseJson(text);
  return typeof line === 'string' ? [line] : [];
}

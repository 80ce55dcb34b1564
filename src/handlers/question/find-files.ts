import type { Table } from '../tables/table.ts';
import { parseConvert, parseTarget, parseWrite, writeVerbs } from './parse-output.ts';
import { attempt, createParser, type Parser } from './parser.ts';
import type { Token } from './tokens.ts';

/** Files are told apart by words alone. */
const noTable: Table = {
  name: '',
  format: '',
  isLog: false,
  columns: [],
  rowNouns: [],
  skipped: { count: 0, lines: [] },
  isWhole: true,
  async *rows() {
    yield [];
  },
};

/** The files that an instruction names: those to read, and those to write. */
export function findFiles(tokens: readonly Token[]): { inputs: string[]; outputs: string[] } {
  const written = new Set<number>();
  let isPending = false;
  for (let at = 0; at < tokens.length; at += 1) {
    const parser = { ...createParser('', tokens, noTable), at };
    if (writtenAt(parser, isPending)) {
      written.add(parser.at - 1);
      isPending = false;
    } else isPending ||= writeVerbs.includes(tokens[at]?.norm ?? '');
  }
  const named = tokens.flatMap(({ kind, text }, at) =>
    kind === 'file' ? [{ text, isOutput: written.has(at) }] : [],
  );
  const outputs = new Set(named.filter(({ isOutput }) => isOutput).map(({ text }) => text));
  const inputs = new Set(named.filter(({ text }) => !outputs.has(text)).map(({ text }) => text));
  return { inputs: [...inputs], outputs: [...outputs] };
}

/** Whether a file to be written is named here; the parser then stands behind it. */
function writtenAt(parser: Parser, isPending: boolean): boolean {
  const output = attempt(parser, parseConvert)?.output ?? attempt(parser, parseWrite);
  if (output) return output.file !== undefined;
  return isPending && attempt(parser, parseTarget) !== undefined;
}

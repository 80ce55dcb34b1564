import type { Table } from '../tables/table.ts';
import { parseConvert, parseWrite } from './parse-output.ts';
import { attempt, createParser } from './parser.ts';
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
  for (let at = 0; at < tokens.length; at += 1) {
    const parser = { ...createParser('', tokens, noTable), at };
    const isConverted = attempt(parser, parseConvert)?.output.file !== undefined;
    if (isConverted || attempt(parser, parseWrite)?.file !== undefined) written.add(parser.at - 1);
  }
  const named = tokens.flatMap(({ kind, text }, at) =>
    kind === 'file' ? [{ text, isOutput: written.has(at) }] : [],
  );
  const outputs = new Set(named.filter(({ isOutput }) => isOutput).map(({ text }) => text));
  const inputs = new Set(named.filter(({ text }) => !outputs.has(text)).map(({ text }) => text));
  return { inputs: [...inputs], outputs: [...outputs] };
}

import type { Draft } from './draft.ts';
import { unclear } from './failures.ts';
import { matchOutput, type Outputs } from './match-name.ts';
import type { Parser } from './parser.ts';

/** `total rounded to 2 decimals`: the one figure of the answer, where it is such a figure. */
function onlyFigure(name: string, { measures, dimensions }: Outputs): number | undefined {
  const [only, second] = measures;
  if (only === undefined || second !== undefined) return undefined;
  const means = figureNames.get(name.toLowerCase().replace(/^the /, ''));
  return means?.test(only.phrase) ? dimensions.length : undefined;
}

const figureNames = new Map([
  ['total', /\b(?:sum|total)/i],
  ['totals', /\b(?:sum|total)/i],
  ['sum', /\b(?:sum|total)/i],
  ['sums', /\b(?:sum|total)/i],
  ['average', /\b(?:average|mean)/i],
  ['averages', /\b(?:average|mean)/i],
  ['mean', /\b(?:average|mean)/i],
]);

/** The outputs that are rounded, with their decimals. @throws TaskError `NOT_UNDERSTOOD` for a name that is none. */
export function roundedOutputs(
  parser: Parser,
  draft: Draft,
  outputs: Outputs,
): Map<number, number> {
  const found = new Map<number, number>();
  for (const { words, decimals } of draft.rounded) {
    const name = words.map(({ text }) => text).join(' ');
    const output = matchOutput(parser, name, outputs) ?? onlyFigure(name, outputs);
    if (output === undefined) throw unclear(`"${name}" to be rounded is no column of the answer.`);
    found.set(output, decimals);
  }
  return found;
}

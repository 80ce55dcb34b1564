import type { Measure } from '../tables/query.ts';
import { TaskError } from '../task-error.ts';
import { columnList } from './failures.ts';
import { contradicts, matchOutput, measureOfName, type Outputs } from './match-name.ts';
import { nameParts } from './name-parts.ts';
import type { NamedMeasure } from './named-measure.ts';
import type { Parser } from './parser.ts';
import { conversion, unitOf } from './units.ts';

/** Names of an answer's columns, and the outputs that they stand for. */
export interface Assigned {
  readonly outputs: Outputs;
  /** Per key, in their order: the index of its output. */
  readonly columns: readonly { readonly key: string; readonly output: number }[];
}

/**
 * Gives each key its output: by name, else by place where the others stand in the order of the text, else as a measure
 * that the key itself names.
 *
 * @throws TaskError `NOT_UNDERSTOOD` for a key that stands for nothing, or an output that no key stands for.
 */
export function assignKeys(parser: Parser, keys: readonly string[], outputs: Outputs): Assigned {
  const matched = keys.map((key) => matchOutput(parser, key, outputs));
  assertDistinct(keys, matched);
  const count = outputs.dimensions.length + outputs.measures.length;
  const free = Array.from({ length: count }, (_, at) => at).filter((at) => !matched.includes(at));
  const measures = [...outputs.measures];
  const columns = keys.map((key, at) => {
    const output =
      matched[at] ?? byPlace(keys, matched, at, free) ?? addMeasure(parser, key, outputs, measures);
    if (output === undefined || contradicts(key, measureAt(outputs, measures, output)))
      throw noOutput(parser, key);
    return { key, output };
  });
  const used = new Set(columns.map(({ output }) => output));
  if (used.size < columns.length) throw noOutput(parser, keys.join(', '));
  return {
    outputs: { ...outputs, measures: inKeyUnits({ ...outputs, measures }, columns) },
    columns,
  };
}

const measureAt = (
  { dimensions }: Outputs,
  measures: readonly NamedMeasure[],
  output: number,
): Measure | undefined => measures[output - dimensions.length]?.measure;

function assertDistinct(keys: readonly string[], matched: readonly (number | undefined)[]): void {
  const twice = matched.findIndex(
    (output, at) => output !== undefined && matched.indexOf(output) !== at,
  );
  if (twice === -1) return;
  throw new TaskError(
    'AMBIGUOUS',
    `"${keys[matched.indexOf(matched[twice])]}" and "${keys[twice]}" would hold the same values.`,
  );
}

/** The only output left for the only key left, or the one at the same place where all others match their place. */
function byPlace(
  keys: readonly string[],
  matched: readonly (number | undefined)[],
  at: number,
  free: readonly number[],
): number | undefined {
  const open = matched.filter((output) => output === undefined).length;
  if (open !== free.length) return undefined;
  if (open === 1) return free[0];
  const inOrder = matched.every((output, place) => output === undefined || output === place);
  return inOrder && keys.length > at && free.includes(at) ? at : undefined;
}

function addMeasure(
  parser: Parser,
  key: string,
  { dimensions }: Outputs,
  measures: NamedMeasure[],
): number | undefined {
  const named = measureOfName(parser, key);
  if (!named) return undefined;
  measures.push(named);
  return dimensions.length + measures.length - 1;
}

/** `mean_s` for a column in ms: converted. */
function inKeyUnits(outputs: Outputs, columns: Assigned['columns']): NamedMeasure[] {
  return outputs.measures.map((named, at) => {
    const key = columns.find(({ output }) => output === outputs.dimensions.length + at)?.key;
    const { argument, unit } = named.measure;
    const wanted = key === undefined ? undefined : unitOf(nameParts(key).at(-1) ?? '');
    if (wanted === undefined || unit === undefined || wanted === unit || !argument) return named;
    const factor = conversion(unit, wanted);
    if (factor === undefined) return named;
    const right = { kind: 'number', value: factor } as const;
    const converted = { kind: 'binary', operator: '*', left: argument, right } as const;
    return { ...named, measure: { ...named.measure, argument: converted, unit: wanted } };
  });
}

const noOutput = (parser: Parser, key: string): TaskError =>
  new TaskError(
    'NOT_UNDERSTOOD',
    `It is not clear what "${key}" in the output stands for. Define it, as in "${key} = number of …". Columns of ${parser.table.name}: ${columnList(parser.table)}.`,
  );

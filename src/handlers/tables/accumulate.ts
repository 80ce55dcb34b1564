import { compileExpression, type Reader } from './compile-expression.ts';
import { compileFilters } from './compile-filters.ts';
import type { Measure } from './query.ts';
import type { Row, Table } from './table.ts';

/** Gathers one measure over the rows of one group. */
export interface Accumulator {
  readonly add: (row: Row) => void;
  readonly result: () => string | number | null;
}

type Value = ReturnType<Reader>;
interface Gatherer {
  readonly add: (value: Value) => void;
  readonly result: () => string | number | null;
}

/** Makes the accumulators of one measure; `onMissing` hears of each counted row without a value. */
export function compileMeasure(
  table: Table,
  measure: Measure,
  onMissing: () => void,
): () => Accumulator {
  const matches = compileFilters(table, measure.where);
  if (measure.aggregate === 'count') return () => createCount(matches);
  if (measure.aggregate === 'share') return () => createShare(matches, measure.scale ?? 100);
  const read = measure.argument ? compileExpression(table, measure.argument) : () => null;
  return () => {
    const gatherer = createGatherer(measure);
    return {
      add(row) {
        if (!matches(row)) return;
        const value = read(row);
        if (value === null) onMissing();
        else gatherer.add(value);
      },
      result: gatherer.result,
    };
  };
}

function createCount(matches: (row: Row) => boolean): Accumulator {
  let count = 0;
  return {
    add(row) {
      if (matches(row)) count += 1;
    },
    result: () => count,
  };
}

function createShare(matches: (row: Row) => boolean, scale: number): Accumulator {
  let count = 0;
  let all = 0;
  return {
    add(row) {
      all += 1;
      if (matches(row)) count += 1;
    },
    result: () => (all === 0 ? null : (count / all) * scale),
  };
}

function createGatherer({ aggregate, percentile = 50 }: Measure): Gatherer {
  switch (aggregate) {
    case 'distinct':
      return createDistinct();
    case 'min':
      return createExtreme((value, held) => value < held);
    case 'max':
      return createExtreme((value, held) => value > held);
    case 'sum':
    case 'mean':
      return createSum(aggregate === 'mean');
    case 'deviation':
      return createDeviation();
    default:
      return createQuantile(aggregate === 'percentile' ? percentile : 50);
  }
}

function createDistinct(): Gatherer {
  const seen = new Set<Value>();
  return { add: (value) => void seen.add(value), result: () => seen.size };
}

function createExtreme(
  isBetter: (value: string | number, held: string | number) => boolean,
): Gatherer {
  let held: Value = null;
  return {
    add(value) {
      if (value !== null && (held === null || isBetter(value, held))) held = value;
    },
    result: () => held,
  };
}

/** Neumaier's sum: no error that grows with the number of rows. */
function createSum(isMean: boolean): Gatherer {
  let sum = 0;
  let lost = 0;
  let count = 0;
  return {
    add(value) {
      const number = Number(value);
      const next = sum + number;
      lost += Math.abs(sum) >= Math.abs(number) ? sum - next + number : number - next + sum;
      sum = next;
      count += 1;
    },
    result() {
      if (!isMean) return sum + lost;
      return count === 0 ? null : (sum + lost) / count;
    },
  };
}

/** Welford's method; the deviation of a sample (n − 1). */
function createDeviation(): Gatherer {
  let count = 0;
  let mean = 0;
  let squares = 0;
  return {
    add(value) {
      count += 1;
      const delta = Number(value) - mean;
      mean += delta / count;
      squares += delta * (Number(value) - mean);
    },
    result: () => (count < 2 ? null : Math.sqrt(squares / (count - 1))),
  };
}

/** Linear interpolation between the two nearest values. */
function createQuantile(percentile: number): Gatherer {
  const values: number[] = [];
  return {
    add: (value) => void values.push(Number(value)),
    result() {
      const sorted = Float64Array.from(values).sort();
      if (sorted.length === 0) return null;
      const at = ((sorted.length - 1) * percentile) / 100;
      const below = sorted[Math.floor(at)] ?? 0;
      const above = sorted[Math.ceil(at)] ?? below;
      return below + (above - below) * (at - Math.floor(at));
    },
  };
}

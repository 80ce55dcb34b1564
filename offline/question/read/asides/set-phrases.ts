import { units } from '../../../language/lexicon.ts';
import { singular } from '../../../language/words.ts';
import { looseRule, type Reads, rule } from '../grammar.ts';
import { scaled } from '../times/spans.ts';
import { unitOf } from '../values/amounts.ts';

/** Reads phrases for all rows, which are no condition: `over all courses`, `both coops together`. */
const ofAll = looseRule(
  '[,] [over|across|throughout|for|of|in|from] word:(both|all) [of] [the|our|my|these|those] [{rows}|{of:dimension}] [together|combined|taken together]',
  ({ word, rows: all, of }, { query }) => {
    const isBoth = word === 'all' || (of?.column?.values.size === 2 && !of.part);
    const isNoun = (all ?? of) !== undefined && (all?.where.length ?? 0) === 0;
    return query.measures.length > 0 && isNoun && isBoth ? (true as const) : undefined;
  },
);

/** Phrases that change nothing in the answer: `over all courses`, `at the moment`, `in our shop`, `in percent` of a share. */
export const setPhrases: readonly Reads<true>[] = [
  ofAll,
  rule(
    '(on average|in total|in all|all in all|altogether|combined|so far|until now|yet|already|right now|at the moment|currently)',
    () => true as const,
  ),
  // `which events take place in the hall`, with a column `places`
  rule('(take|takes|took) place', ({ from, end }, source) =>
    /^(?:in|at|on)$/.test(source.wordAt(end)) &&
    !/^(?:will|would|can|could|to)$/.test(source.wordAt(from - 1))
      ? (true as const)
      : undefined,
  ),
  // `average duration in seconds`
  rule('in unit:(seconds|minutes|hours|days|weeks|kb|mb|gb|kg|km)', ({ unit }, { query }) => {
    const last = query.measures.at(-1);
    const own = last?.of?.column;
    if (!last || !own || unitOf(own)?.[0] !== units.get(singular(unit))?.[0]) return undefined;
    const isSame =
      last.of?.words.startsWith(`${unit} `) ||
      String(unitOf(own)) === String(units.get(singular(unit)));
    // `average and maximum duration in minutes`
    const all = query.measures.filter(
      ({ of }) => of?.column && unitOf(of.column)?.[0] === unitOf(own)?.[0],
    );
    if (all.some(({ of }) => of?.sql !== last.of?.sql)) return undefined;
    const of = scaled(own, singular(unit));
    for (const one of isSame ? [] : all)
      query.measures.splice(query.measures.indexOf(one), 1, {
        ...one,
        of,
        name: `${one.name} in ${unit}`,
      });
    return true as const;
  }),
];

import { pairs } from './lexicon.ts';

const truthPairs = [...pairs('yes no|true false|y n|1 0')];

/** Names of columns in which 1 and 0 mean yes and no. */
const yesOrNo = /^(?:is|has|active|enabled|valid|done|open|available|\w+ed|paid)\b/;

/** The values for yes and no in a column. Undefined if it has others. */
export function truthOf(
  name: string,
  values: readonly string[],
): readonly [yes: string, no: string] | undefined {
  const [first = ''] = values;
  const inCase = (word: string) =>
    first === first.toUpperCase()
      ? word.toUpperCase()
      : word.replace(/^./, (letter) => (/^\p{Lu}/u.test(first) ? letter.toUpperCase() : letter));
  const spelled = (word: string) =>
    values.find((value) => value.toLowerCase() === word) ?? inCase(word);
  const pair = truthPairs.find(([yes, no]) =>
    values.every((value) => value.toLowerCase() === yes || value.toLowerCase() === no),
  );
  if (pair?.[0] === '1' && (values.length < 2 || !yesOrNo.test(name.toLowerCase())))
    return undefined;
  return pair && values.length > 0 ? [spelled(pair[0]), spelled(pair[1])] : undefined;
}

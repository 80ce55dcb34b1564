/** Words that are too general to stand for a longer column name. */
export const general =
  /^(?:name|id|date|time|number|total|count|value|type|key|first|last|line|row|code|max|min|on|at|in|by|to|of)$/;

/** Whether a name is the phrase, possibly abbreviated or written as one word: `kick off` for `kickoff`. */
export function sameAs(phrase: string): (name: string) => boolean {
  const joined = (text: string) => text.replace(/ /g, '');
  const [short, whole] = [shortened(phrase), phrase.includes(' ') ? joined(phrase) : undefined];
  return (name) => shortened(name) === short || joined(name) === whole;
}

const shortened = (name: string) =>
  name.replace(/\b(m(?:in|ax))imum\b/g, '$1').replace(/ (?:no|nr|num)$/, ' number');

/** Whether the end of a name is short for a phrase: `acc` for `accuracy`. */
export const isShortFor = (short: string, phrase: string): boolean =>
  /^\w{6,}(?<!ing)$/.test(phrase) &&
  short.length > 2 &&
  !general.test(short) &&
  short !== phrase &&
  phrase.startsWith(short);

import { list, pairs } from './lexicon.ts';

/** Irregular forms of verbs. */
const past = pairs(
  'paid pay|stood stand|sat sit|lay lie|lain lie|lying lie|grew grow|grown grow|arose arise|kept keep|held hold|came come|bore bear|fell fall|fallen fall|slept sleep|hung hang|took take|taken take|ran run|led lead|gave give|given give|made make|did do|done do|laid lay|brought bring|wrote write|written write|got get|gotten get|spent spend|drove drive|driven drive|swam swim|rode ride|ridden ride|flew fly|flown fly|built build|taught teach|sang sing|sung sing|sold sell|bought buy|threw throw|thrown throw|won win|lost lose|has have|had have|arrival arrive|departure depart',
);

const irregular = new Set([...past.keys(), ...past.values()]);

/** Whether a word is a form of an irregular verb, other than `have`: `took`, `take`. */
export const isIrregular = (word: string): boolean =>
  irregular.has(word) && !/^ha(?:s|d|ve)$/.test(word);

/** The stem that the forms of a verb share: `clos` for `closed`, `carry` for `carries`. */
export const rootOf = (word: string): string =>
  (past.get(word) ?? word)
    .replace(/^over(?=due$)/, '')
    .replace(/(?:s|ing)$/, '')
    .replace(/ed?$/, '')
    .replace(/d$/, '')
    .replace(/(.)\1$/, '$1')
    .replace(/i$/, 'y');

const roots = (verbs: string): ReadonlySet<string> => new Set(list(verbs).map(rootOf));

/** Stems of verbs for place and belonging, which the rest of the sentence states as well. */
export const being = roots(
  'stand|sit|lie|live|stay|grow|exist|occur|happen|appear|arise|belong|reside|locate|situate|keep|store|house|hold|carry|bear|come|fall|work|sleep|hang|place|park|cover|represent|comprise|form|seat|accommodate|assign|allocate|reach|arrive',
);

/** Stems of verbs for what somebody does with a row or with what it counts. */
export const doing = roots(
  'host|run|lead|give|offer|make|do|lay|bring|produce|yield|write|enter|record|log|report|handle|serve|get|receive|use|pick|gather|harvest|collect|charge|bill|invoice|earn|spend|score|walk|drive|cycle|swim|row|jump|ride|fly|build|teach|train|coach|tutor|direct|film|sing|create|generate|deliver|supply|provide|organise|organize|manage|lift|perform|present|treat|examine|inspect|process|conduct|hold|keep|take|cover|throw|cook|bake|brew|publish|author|raise|submit|place|post|sell|buy|work|open|own|contain|have|return|file|win|come|ship|send',
);

/** Stems of verbs for what a person does with a value of the own row: `who plays the cello`, with an instrument. */
export const having = roots(
  'play|ride|drive|use|speak|teach|study|learn|sing|wear|keep|practise|practice|fly|sail',
);

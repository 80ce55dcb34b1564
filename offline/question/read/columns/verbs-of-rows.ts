import { escaped } from '../../../language/escape.ts';
import { deeds, sides } from '../../../language/lexicon.ts';
import { doing, rootOf } from '../../../language/verbs.ts';
import { columnValue, type Value } from '../../sql/query.ts';
import type { Column, Table } from '../../table/schema.ts';
import { type Reads, type Source, single } from '../grammar.ts';

/** The column that a participle is about: `hire_date` for `hired`, `rating` for `rated`, `last_delivery` for `delivered`. */
export function columnOfVerb({ columns }: Table, verb: string): Value | undefined {
  const root = /^(.{3,}?)(?:e?d)$/.exec(verb.replace(/(.)\1ed$/, '$1ed'))?.[1];
  if (root === undefined) return undefined;
  const own =
    root === 'expir'
      ? /^(?:expir\w*|valid (?:until|to|through|till)|best before)(?: |$)/
      : new RegExp(
          `^(?:last )?${escaped(root)}(?:e|ed|ing|er|or|ee|ion|ation|ment|ance|y)?(?: |$)`,
        );
  const only = single(
    columns.filter(
      // What was returned is not in `return_by`.
      ({ words, isTime }) =>
        own.test(words.join(' ')) && (isTime ? words[1] !== 'by' : words.length === 1),
    ),
  );
  return only && columnValue(only, only.words[0] === root ? undefined : `${verb} = ${only.name}`);
}

const making =
  /^(?:made|built|created|produced|composed|written|painted|drawn|printed|published|released)$/;

/** The year in which something was made: `composed before 1800`. */
export function yearOf({ tokens, table }: Source, at: number): Value | undefined {
  const verb = tokens[at]?.norm ?? '';
  const isDated = making.test(verb) && tokens[at + 2]?.kind === 'number';
  const own = isDated && table.columns.find(({ words }) => words.join(' ') === 'year');
  return own ? columnValue(own, `${verb} = ${own.name}`) : undefined;
}

/** Verbs = names of columns with the persons who do it. */
const doers = [
  'teach|taught = teacher|lecturer|instructor|tutor|trainer|coach',
  'writ|publish = author|writer|reviewer|publisher',
  'lead|guid = leader|guide|coach|trainer|captain|head|chair',
  'own|keep = owner|keeper|holder',
  'supply|deliv = supplier|vendor',
  'mak|produc = maker|brand|manufacturer|make',
]
  .map(sides)
  .map(([verbs, names]) => [verbs.map(rootOf), names] as const);

/** Whether a column names the person of a verb: `driver` for `drives`, `bought by` for `bought`. */
export function isDoneBy({ words: [own = '', by] }: Column, verb: string): boolean {
  if (doers.some(([verbs, names]) => verbs.includes(rootOf(verb)) && names.includes(own)))
    return true;
  const root = verb.replace(/(?:ions?|ings?|e?s|ed|e)$/, '');
  // `books` is not what a `book author` does.
  const isOfRoot =
    root.length > 2 &&
    own.startsWith(root) &&
    /^(?:|by|id|no|name|full|first|last)$/.test(by ?? '');
  return (
    (isOfRoot && /^(?:[a-z]{0,2}(?:er|or)|ee)?$/.test(own.slice(root.length))) ||
    (by === 'by' && rootOf(own) === rootOf(verb))
  );
}

/** Whether a verb says what the rows record: `requested` for a log, `borrowed` for loans, `train` for trainings. */
export const isDeed = (table: Table, verb: string): boolean =>
  (table.isLog && !table.columns.some(({ words }) => words.includes(verb))) ||
  isKnownDeed(table, verb) ||
  [...table.nouns].some((noun) => {
    const stem = noun.replace(/e$/, '');
    const root = verb.replace(/(?:e?d|ing|e)$/, '');
    const isOfNoun = verb.startsWith(stem) && verbEnd.test(verb.slice(stem.length - 1));
    const isOfVerb = noun.startsWith(root) && nounEnds.test(noun.slice(root.length));
    return (noun.length > 2 && isOfNoun) || (root.length > 3 && isOfVerb);
  });

/** Whether a verb is what somebody does with the rows or with what they count: `wrote`, `hosts` with a column `host`. */
export function isDone({ table, query: { subject } }: Source, verb: string): boolean {
  const own = subject === 'rows' ? undefined : subject?.column;
  // `ran` with a column `runner`
  const isOfOwn = own && (isDoneBy(own, verb) || isDoneBy(own, rootOf(verb)));
  const isLimited = table.columns.some((one) => one.name !== own?.name && isAbout(one, verb));
  return (isOfOwn && !isLimited) || isDeed(table, verb) || isDoing(table, verb);
}

/** Reads such a verb. */
export const deedWord: Reads<string> = (source, at) => {
  const { kind, norm = '' } = source.tokens[at] ?? {};
  return kind === 'word' && isDone(source, norm) ? { value: norm, end: at + 1 } : undefined;
};

/** Stems of verbs that may be about only some of the rows, even if no column says which: lost games, kept orders. */
const partial = /^(?:win|return|com|sel|fil|deliver)$/;

const light = 'hav|get|do|mak|contain';

/** Whether a column tells which state a row is in. */
export const isState = ({ truth, isTime, hasEmpty, words }: Column): boolean =>
  truth !== undefined ||
  (isTime && hasEmpty === true && /(?:ed|en|id)$/.test(words[0] ?? '')) ||
  words.some((word) => /^(?:status|state|stage|result|outcome)$/.test(word));

/** Whether a state may limit what was done: a lesson was taken even if it was not paid. */
export const isLimit = (own: Column): boolean =>
  isState(own) && !/^(?:paid|settled|invoiced|thanked)$/.test(own.words.join(' '));

/** Stems of verbs that are true of all rows, whatever became of them later: who opened a cancelled order opened it. */
export const starting = new RegExp(
  `^(?:${light}|own|writ|plac|creat|open|rais|submit|publish|report|enter|record|log|post|author|ship|send)$`,
);

/** Whether a column or a value of it has the word of a verb: `sold`, `submit`. */
export const isAbout = (
  { words, values, isNumber, isTime, hasEmpty }: Column,
  verb: string,
): boolean => {
  const root = rootOf(verb);
  const isOf = (word: string) => rootOf(word.toLowerCase()) === root;
  if (words.some(isOf) && !(isTime && !hasEmpty)) return true;
  const mayHave = (value: string) => value.toLowerCase().includes(root.slice(0, 3));
  const texts = isNumber || isTime ? [] : [...values].filter(mayHave);
  return texts.some((value) => value.split(/\W+/).some(isOf));
};

/** Whether a verb is about all rows: no column or value is about it or its doer, and no state of the rows limits it. */
function isDoing({ columns }: Table, verb: string): boolean {
  const root = rootOf(verb);
  if (!doing.has(root) || partial.test(root)) return false;
  const isLight = light.split('|').includes(root);
  return !columns.some((own) => {
    const isDoer = !isLight && isDoneBy(own, root);
    return isAbout(own, verb) || isDoer || (isLimit(own) && !starting.test(root));
  });
}

/** The same for the verbs of the vocabulary. */
const isKnownDeed = ({ nouns }: Table, verb: string): boolean =>
  deeds.some(([own, verbs]) => verbs.includes(verb) && own.some((noun) => nouns.has(noun)));

/** The last letter of a noun, possibly doubled, and the ending of the verb: `nned` for `plan`, `planned`. */
const verbEnd = /^(.)\1?(?:e?[sd]|e|ing|ers?)?$/;

/** Endings that make a noun of a verb: `rental`, `delivery`, `donation`. */
const nounEnds = /^(?:e|s|ings?|al|y|e?ment|(?:at)?ion)?$/;

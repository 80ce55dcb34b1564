import type { Ability } from '../../contract/permissions/ability.ts';
import { once } from '../../platform/once.ts';
import { findWrittenFiles } from '../files/written-files.ts';

const MAX_TEXT = 20_000;

/** Longest part of a sentence that is examined, in characters. */
const MAX_SENTENCE = 1_000;

/** Words between a verb and its noun: none that begins another part of the sentence. */
const gap = String.raw`(?:(?!(?:from|in|of|at|to|into|onto|with|inside|within|for|as|on|by|where|that|whose|which|and|or|then)\b)[\w'*./~-]+\s+){0,6}?`;
const name = String.raw`[\w*./~-]*[\w*]\.[a-z]\w{0,7}(?![\w/])`;
const database = String.raw`(?:[\w./~-]+\.(?:db3?|sqlite3?|duckdb)|databases?|(?:sqlite|sql)\s+(?:db|file))\b`;
/** Of a table or text, not of the file system. */
const part = String.raw`(?!\s+(?:tables?|rows?|columns?|lines?|entr(?:y|ies)|records?|names?|paths?|extensions?|sizes?|types?|fields?|keys?|sections?|headers?)\b)`;
const files = String.raw`(?:(?:sub)?(?:files?|folders?|director(?:y|ies))|logs?|backups?|copies|images?|photos?|pictures?|documents?|screenshots?|archives?)\b${part}`;
const aFile = String.raw`${gap}(?:${files}|${name}(?!\s+(?:from|in|of)\s+${name}))`;
const pronoun = String.raw`(?:them|it|these|those|each(?:\s+of\s+them)?)\b(?!\s+from\b)`;
const address = 'https?://';

/** A way to ask for something. */
type Phrase = Pick<RegExp, 'exec'>;

/**
 * A verb in the imperative: `verbs` after the start of a sentence or clause. The whole pattern is compiled, which takes
 * a millisecond, only if one of its verbs occurs.
 */
function imperative(verbs: string, rest: string): Phrase {
  const verb = new RegExp(String.raw`\b(?:${verbs})\b`, 'i');
  const whole = once(() => inImperative(verbs, rest));
  return { exec: (sentence) => (verb.test(sentence) ? whole().exec(sentence) : null) };
}

const inImperative = (verbs: string, rest: string): RegExp =>
  new RegExp(
    String.raw`(?:^\W*|[,:;(]\s*|\b(?:and|then|also|please|kindly|just|now|finally|first|next|let['’]s|you(?:\s+(?:must|should|can|could))?|(?<!\b(?:how|tr\w+|fail\w*|attempts?|able|allowed|likely)\s)to)\s+)(?:${verbs})\s+${rest}`,
    'i',
  );

/** By ability, the sentences that ask for it. */
const askedBy: Readonly<Record<Ability, readonly Phrase[]>> = {
  write: [
    imperative(
      'edit|fix|modify|rewrite|reformat|append|prepend|insert|replace|update|correct',
      String.raw`.*?(?:${name}|\bfiles?\b)`,
    ),
    imperative(
      'create|make|add',
      String.raw`(?:(?:a|an|the|new|empty)\s+)*(?:files?|folders?|director(?:y|ies))\b${part}`,
    ),
  ],
  delete: [
    imperative(
      'delete|remove|erase|unlink|trash|wipe|purge|discard|clean up|clear out|get rid of|throw away',
      aFile,
    ),
    imperative(
      'delete|remove|erase|wipe|purge|empty',
      String.raw`(?:everything|anything|all)\b.*?\b(?:in|under|inside|below|from)\s+(?:[\w.~-]+\/|(?:\S+\s+){0,2}(?:folder|directory)\b)`,
    ),
  ],
  move: [
    imperative('rename|move', aFile),
    imperative(
      'sort|organi[sz]e|arrange|group|tidy(?: up)?',
      String.raw`${gap}${files}.*\b(?:in)?to\b.*\b(?:sub)?(?:folders?|director(?:y|ies))\b`,
    ),
  ],
  execute: [
    imperative(
      'run|execute',
      String.raw`(?:${gap}python\s+(?:code|program|script)\b|[\w./-]+\.py\b)`,
    ),
  ],
  command: [
    imperative(
      'run|execute|launch|invoke|start',
      String.raw`(?!.*\bpython\s+(?:code|program|script)\b)(?!.*\bsql)${gap}(?:§code|commands?\b|scripts?\b|tests\b|test\s+suite|(?:npm|pnpm|yarn|make|pytest|cargo|git|docker)\b|(?:build|program|server|linter|benchmarks?|binary|executable)\b|[\w./-]+\.(?:sh|bash|zsh|exe)\b)`,
    ),
    imperative(
      'compile|build',
      String.raw`(?:(?:the|this|my|our)\s+)*(?:project|app|application|code|image|binary|program|library|sources?|package)\b`,
    ),
    imperative(
      'install',
      String.raw`(?:(?:the|all|its|npm|pip|missing)\s+)*(?:dependencies|packages?)\b`,
    ),
    imperative(
      'commit|push|stage|pull|clone',
      String.raw`(?:(?:the|all|my|these|this)\s+)*(?:changes|branch|repo(?:sitory)?)\b`,
    ),
  ],
  web: [
    imperative(
      'fetch|download|crawl|scrape|browse|visit|open|get|read|retrieve|load|check|search|summari[sz]e|sum up|call|query|ping|post',
      String.raw`(?:[^\s]+\s+){0,8}?${address}(?!\S+\s+(?:in|of|from|within)\s+(?:\w+\s+){0,3}${name})`,
    ),
    imperative(
      'search|look|google|find|research|check',
      String.raw`.*?\b(?:online|on\s+the\s+(?:web|internet)|the\s+(?:web|internet)\s+for)\b`,
    ),
    imperative('search|browse', String.raw`the\s+(?:web|internet)\b`),
  ],
  database_write: [
    imperative(
      'load|import|insert|store|save|put|write|copy|convert|turn|transform|migrate|export|add|append|ingest|dump|upload',
      String.raw`.*?\b(?:into|onto|to|as)\s+(?:(?:(?:a|the|new)\s+)*tables?\s+\S+\s+(?:of|in)\s+)?${gap}${database}`,
    ),
    imperative(
      'create|make|build|set up|generate|initiali[sz]e',
      String.raw`${gap}${database}(?!\s+(?:schema|overview|report|summary|diagram|documentation|quer\w+|connection|backup|dump))`,
    ),
  ],
};

const abilities = Object.keys(askedBy) as Ability[];

const nonDatabaseOutput = new RegExp(
  String.raw`\b(?:as|to|into)\s+(?:(?:a|an|the|new|file)\s+)*(?![\w./~-]+\.(?:db3?|sqlite3?|duckdb)\b)${name}`,
  'i',
);

/** These change a database only if the sentence names no other file as its output: *save the totals in shop.db as a.csv*. */
const askedInDatabase: readonly Phrase[] = [
  imperative(
    'store|insert|put|save|load|write|add|create|make',
    String.raw`.*?\b(?:in|inside)\s+(?:(?:(?:a|the|new)\s+)*tables?\s+\S+\s+(?:of|in)\s+)?${gap}${database}`,
  ),
  imperative(
    'update|delete|insert|drop|alter|truncate|remove|change|set|modify|rename|add(?!\\s+up)|erase|increase|decrease|raise|lower|double|mark|fix|correct|deduplicate',
    String.raw`.*?\b(?:in|from|of|into|to|on|inside)\s+${gap}${database}`,
  ),
  /§sqlwrite/,
];

const aFileNoun = new RegExp(String.raw`\b(?:files?|folders?|director(?:y|ies))\b${part}`, 'i');
const askedOfThem: Partial<typeof askedBy> = {
  delete: [imperative('delete|remove|erase|unlink|trash|discard', pronoun)],
  move: [imperative('rename|move', pronoun)],
};

const question =
  /^\W*(?:which|what|who|whose|when|where|why|how|does|did|is|are|was|were|has|have)\b/i;
const negation = /\b(?:not|never|\w+n['’]t|without|cannot)\b(?!.*\b(?:but|then|only|instead)\b)/i;

/**
 * The abilities that the words of a subtask ask for: verbs in the imperative with their objects. Questions, negated clauses
 * and quoted text ask for none. In doubt there is no ability, since each one excludes capsules.
 */
export function abilitiesInText(text: string): readonly Ability[] {
  const masked = maskQuotes(text.slice(0, MAX_TEXT));
  const found = new Set<Ability>();
  let namesFiles = false;
  for (const sentence of masked.split(/[.;!?](?=\s|$)|\n/)) {
    const part = sentence.slice(0, MAX_SENTENCE);
    namesFiles ||= aFileNoun.test(part);
    if (!question.test(part))
      for (const ability of abilitiesIn(part, namesFiles)) found.add(ability);
  }
  if (findWrittenFiles(text).some(({ mayExist }) => !mayExist)) found.add('write');
  return abilities.filter((ability) => found.has(ability));
}

/** @param namesFiles Whether *them* may refer to files. */
function abilitiesIn(sentence: string, namesFiles: boolean): Ability[] {
  const asks = (pattern: Phrase) => {
    const match = pattern.exec(sentence);
    return match !== null && !negation.test(sentence.slice(0, match.index + 1));
  };
  const found = abilities.filter(
    (ability) =>
      askedBy[ability].some(asks) || (namesFiles && askedOfThem[ability]?.some(asks) === true),
  );
  const changes = askedInDatabase.some(asks) && !nonDatabaseOutput.test(sentence);
  if (!changes && !found.includes('database_write')) return found;
  return [...found.filter((one) => one !== 'write'), 'database_write'];
}

const sqlWrite = /^\s*(?:insert|update|delete|create|drop|alter|replace)\b/i;
const sqlRead = /^\s*(?:select|with|pragma|explain|values)\b/i;
const fileName = /^[^\n]{1,300}\.\w{1,8}$/;

/** Replaces text in quotes and back-ticks by a word, except names of files. */
const maskQuotes = (text: string): string =>
  text
    .replace(/```(\w*)\s*(.*?)(?:```|$)/gs, (_, _language, code: string) => ` ${codeWord(code)} `)
    .replace(/`([^`\n]{1,2000})`/g, (_, code: string) =>
      fileName.test(code) && !/\s/.test(code) ? code : ` ${codeWord(code)} `,
    )
    .replace(/"([^"\n]{1,300})"|“([^”\n]{1,300})”|(?<!\w)'([^'\n]{1,300})'(?!\w)/g, (_, ...all) => {
      const inside = String(all.slice(0, 3).find((one) => one !== undefined));
      const isName = fileName.test(inside) || inside.startsWith(address);
      return isName ? inside.replaceAll(' ', '_') : ' quoted ';
    });

function codeWord(code: string): string {
  if (sqlWrite.test(code)) return '§sqlwrite';
  return sqlRead.test(code) ? '§sql' : '§code';
}

import { list } from './lexicon.ts';

/** Words for a row of an access log. */
export const requestNouns = new Set(list('request|hit|call|response|access|visit|query'));

/** SQL conditions for words about an access log. */
export const logMeanings: ReadonlyMap<string, string> = new Map(
  (
    [
      ['error|failed|failure|failing|unsuccessful', '>= 400'],
      ['server error', '>= 500'],
      ['client error', 'BETWEEN 400 AND 499'],
      ['successful|success', 'BETWEEN 200 AND 299'],
      ['redirect', 'BETWEEN 300 AND 399'],
      ['not found', '= 404'],
    ] as const
  ).flatMap(([words, test]) => list(words).map((word) => [word, `status ${test}`] as const)),
);

/** The levels of a log that a word means, separated by `|`. */
export const levelNames: ReadonlyMap<string, string> = new Map(
  (
    [
      ['error', 'ERROR|ERR|SEVERE'],
      ['warning|warn', 'WARN|WARNING'],
      ['info', 'INFO'],
      ['notice', 'NOTICE'],
      ['debug', 'DEBUG'],
      ['trace', 'TRACE'],
      ['alert', 'ALERT'],
      ['fatal|critical|emergency|panic', 'FATAL|CRITICAL|CRIT|PANIC|EMERG'],
    ] as const
  ).flatMap(([words, names]) => list(words).map((word) => [word, names] as const)),
);

/** SQL conditions for words about a log with levels. */
export const levelMeanings: ReadonlyMap<string, string> = new Map(
  [...levelNames].map(([word, names]) => [word, `level IN ('${names.replaceAll('|', "', '")}')`]),
);

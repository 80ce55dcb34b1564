/** Words of questions about logs. */

const list = (text: string): readonly string[] => text.split('|');

/** Words for a row of an access log. */
export const requestNouns = new Set(list('request|hit|call|response|access|visit|query'));

/** Conditions for words about an access log. */
export const logMeanings: ReadonlyMap<string, string> = new Map([
  ['error', 'status >= 400'],
  ['failed', 'status >= 400'],
  ['failure', 'status >= 400'],
  ['failing', 'status >= 400'],
  ['unsuccessful', 'status >= 400'],
  ['server error', 'status >= 500'],
  ['client error', 'status BETWEEN 400 AND 499'],
  ['successful', 'status BETWEEN 200 AND 299'],
  ['success', 'status BETWEEN 200 AND 299'],
  ['redirect', 'status BETWEEN 300 AND 399'],
  ['not found', 'status = 404'],
]);

const isLevel = (names: string) =>
  `level IN (${list(names)
    .map((name) => `'${name}'`)
    .join(', ')})`;

/** Conditions for words about a log with levels. */
export const levelMeanings: ReadonlyMap<string, string> = new Map(
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
  ).flatMap(([words, names]) => list(words).map((word) => [word, isLevel(names)] as const)),
);

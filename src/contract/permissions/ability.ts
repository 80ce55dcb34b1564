import type { Need } from './need.ts';

/**
 * An ability that a subtask requires. The words of a subtask are more specific than a plan: `command` is a program of the
 * system (`execute` may also be Python), `move` is renaming or moving files.
 */
export type Ability = Need | 'command' | 'move';

interface AbilityWords {
  /** The end of "it needs to …". */
  readonly infinitive: string;
  /** The grants that give it. */
  readonly grant: string;
}

const words: Readonly<Record<Ability, AbilityWords>> = {
  write: { infinitive: 'write or change files', grant: '`file_io` with the operation `write`' },
  delete: { infinitive: 'delete files', grant: '`file_io` with the operation `delete`' },
  move: {
    infinitive: 'rename or move files',
    grant: '`file_io` with the operations `rename` and `move`',
  },
  execute: { infinitive: 'run programs', grant: '`terminal` or `python_exec` with commands' },
  command: { infinitive: 'run commands', grant: '`terminal` with commands' },
  web: { infinitive: 'use the web', grant: '`web_fetch` or `http_api` with hosts' },
  database_write: {
    infinitive: 'change databases',
    grant: '`sql_query` with the operation `change`, or `python_exec` with the commands `**`',
  },
};

/** `delete files and use the web`. */
export const abilityWords = (abilities: readonly Ability[], word: 'and' | 'or' = 'and'): string =>
  abilities.map((ability) => words[ability].infinitive).join(` ${word} `);

/** The grants that give these abilities, for a manifest. */
export const grantWords = (abilities: readonly Ability[]): string =>
  abilities.map((ability) => words[ability].grant).join(', and ');

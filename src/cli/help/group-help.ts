import type { CommandDefinition } from '../command.ts';

/** Columns of a topic, before the names. */
export const TOPIC_COLUMNS = 9;
/** Columns of a line, and of the names in it. */
const WIDTH = 80;
const NAME_COLUMNS = 26;
const GAP = '  ';

/** Whether a command only has subcommands. */
export const isGroup = ({ subcommands = [], options }: CommandDefinition): boolean =>
  subcommands.length > 0 && Object.keys(options).length === 0;

/**
 * The overview of a command that has subcommands: its usage, and its subcommands by topic, several on a line.
 *
 * @param path `capstan runs`.
 */
export function groupHelp(definition: CommandDefinition, path: string): string {
  const { arguments: operand, argumentsNote, subcommands = [] } = definition;
  const usage = ['Usage:', path, '<command>', operand].filter(Boolean).join(' ');
  const note = argumentsNote === undefined ? '' : `      ${argumentsNote}`;
  return `${usage}${note}\n${topicLines(subcommands)}`;
}

/** The subcommands by topic, as many on a line as fit. */
export function topicLines(commands: readonly CommandDefinition[]): string {
  const topics = [...new Set(commands.map(topicOf))];
  return topics
    .flatMap((topic) =>
      rowsOf(commands.filter((one) => topicOf(one) === topic)).map(
        (row, index) =>
          `${(index === 0 ? topic : '').padEnd(TOPIC_COLUMNS)}${namesOf(row).padEnd(NAME_COLUMNS)}${briefsOf(row)}\n`,
      ),
    )
    .join('');
}

/** The sentence as the end of a line. */
export const lowerFirst = (sentence: string): string =>
  `${sentence[0]?.toLowerCase()}${sentence.slice(1)}`;

const briefOf = ({ brief, summary }: CommandDefinition): string => brief ?? lowerFirst(summary);

const topicOf = ({ topic = 'Commands' }: CommandDefinition): string => topic;

function rowsOf(commands: readonly CommandDefinition[]): CommandDefinition[][] {
  const rows: CommandDefinition[][] = [];
  for (const one of commands) {
    const last = rows.at(-1);
    if (last && isShort([...last, one])) last.push(one);
    else rows.push([one]);
  }
  return rows;
}

const isShort = (row: readonly CommandDefinition[]): boolean =>
  namesOf(row).length <= NAME_COLUMNS - GAP.length &&
  TOPIC_COLUMNS + NAME_COLUMNS + briefsOf(row).length < WIDTH;

const namesOf = (row: readonly CommandDefinition[]): string =>
  row.map(({ name }) => name).join(' · ');

const briefsOf = (row: readonly CommandDefinition[]): string => row.map(briefOf).join('; ');

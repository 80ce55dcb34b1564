import type { CommandDefinition } from '../command.ts';
import { exitCodes } from '../errors/exit-codes.ts';

/** Columns of a line, and where names and briefs begin. */
const WIDTH = 80;
const TOPIC_COLUMNS = 9;
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

/** Commands under the headings of their parent's overview. */
export const byTopic = (
  topics: Readonly<Record<string, readonly CommandDefinition[]>>,
): readonly CommandDefinition[] =>
  Object.entries(topics).flatMap(([topic, all]) => all.map((one) => ({ ...one, topic })));

type Group = Omit<CommandDefinition, 'name' | 'options' | 'examples' | 'run'> & {
  readonly subcommands: readonly CommandDefinition[];
};

/**
 * A command that only has subcommands. Without one it prints its overview on stderr and ends with 2.
 *
 * @param path `capstan runs`.
 */
export function commandGroup(path: string, group: Group): CommandDefinition {
  const definition: CommandDefinition = {
    ...group,
    name: path.slice(path.lastIndexOf(' ') + 1),
    options: {},
    examples: [],
    run: async (_args, io) => {
      io.stderr(groupHelp(definition, path));
      return exitCodes.usage;
    },
  };
  return definition;
}

/** `capstan --help`: what it is, and the commands by topic. */
export function rootHelp(commands: readonly CommandDefinition[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length)) + 2;
  const topics = [...new Set(commands.map(({ topic = '' }) => topic))];
  const lines = topics.flatMap((topic) =>
    commands
      .filter((one) => one.topic === topic)
      .map(
        (one, index) =>
          `${(index === 0 ? topic : '').padEnd(TOPIC_COLUMNS)}${one.name.padEnd(width)}${lowerFirst(one.summary)}`,
      ),
  );
  return `${head}\n${lines.join('\n')}\n${foot}\n`;
}

const head = `Usage: capstan ["task"] | capstan <command> [options]
Runs AI agents on your own machine without handing them the keys to it.
Without a command it opens a conversation in this folder.`;

const foot = '-h, --help · -V, --version · capstan <command> --help · capstan help exit-codes';

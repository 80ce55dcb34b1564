import type { CommandDefinition } from '../../src/cli/command.ts';
import { commands } from '../../src/cli/commands.ts';
import { exitCodes, exitCodeWords } from '../../src/cli/errors/exit-codes.ts';
import { isGroup } from '../../src/cli/help/command-group.ts';
import { standard } from '../../src/cli/options/standard-options.ts';

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** Text whose `<id>` would otherwise be read as HTML. */
const prose = (text: string) => text.replace(/<(?=\w)/g, '\\<');

const table = (rows: readonly (readonly [string, string])[]): string =>
  `| | |\n|---|---|\n${rows.map(([name, words]) => `| ${cell(name)} | ${cell(words)} |`).join('\n')}`;

type Option = readonly [flags: string, description: string];

const rowOf = ([flags, description]: Option) => [`\`${flags}\``, description] as const;

const standardOptions = Object.values(standard).flatMap((one) => Object.entries(one));

const isStandard = ([flags, description]: Option): boolean =>
  standardOptions.some((one) => one[0] === flags && one[1] === description);

/** `--json`, `-q`. */
const shortFlag = ([flags]: Option): string => `\`${flags.split(/[ ,]/)[0]}\``;

const own = ({ options }: CommandDefinition) =>
  Object.entries(options).filter((one) => !isStandard(one));

/** `also -w, --json`; empty if it has none of the standard options. */
function standardOf({ options }: CommandDefinition): readonly string[] {
  const flags = Object.entries(options).filter(isStandard).map(shortFlag);
  return flags.length === 0 ? [] : [flags.join(' ')];
}

const namesOf = ({ name, arguments: operand }: CommandDefinition, parent = ''): string =>
  [parent, name, operand].filter(Boolean).join(' ');

/** One line for each subcommand, those of its subcommands below it. */
function linesOf(definition: CommandDefinition, parent = ''): string[] {
  const { summary, note, subcommands = [] } = definition;
  const path = [parent, definition.name].filter(Boolean).join(' ');
  const below = subcommands.filter(({ run }) => run !== definition.run);
  if (isGroup(definition)) return below.flatMap((one) => linesOf(one, path));
  const parts = [
    `- \`${namesOf(definition, parent)}\``,
    prose(note === undefined ? summary : `${summary}. ${note}`),
    ...own(definition).map(([flags, description]) => `\`${flags}\` ${prose(description)}`),
    ...standardOf(definition),
  ];
  return [parts.join(' · '), ...below.flatMap((one) => linesOf(one, path))];
}

/** Of one command; its help shows all of them. */
const MAX_EXAMPLES = 4;

/** Of a group. */
const MAX_GROUP_EXAMPLES = 8;

/**
 * The first example of a command and of each of its subcommands that has an option or a quoted text; others add nothing
 * to their line.
 */
const examplesOf = ({ examples, subcommands = [] }: CommandDefinition): string[] => [
  ...examples.filter((line) => /["']| -/.test(line)).slice(0, 1),
  ...subcommands.flatMap(examplesOf),
];

function section(definition: CommandDefinition): string {
  const { summary, examples, subcommands = [] } = definition;
  const below = subcommands.filter(({ run }) => run !== definition.run);
  const lines = below.flatMap((one) => linesOf(one));
  const options = own(definition).map(
    ([flags, description]) => `- \`${flags}\` · ${prose(description)}`,
  );
  const code = [
    ...new Set([...examples.slice(0, MAX_EXAMPLES), ...subcommands.flatMap(examplesOf)]),
  ].slice(0, MAX_GROUP_EXAMPLES);
  const title = isGroup(definition) ? `${definition.name} <command>` : namesOf(definition);
  return [
    `## capstan ${title}`,
    [`${summary}.`, ...standardOf(definition).map((flags) => `Also ${flags}.`)].join(' '),
    ...(options.length + lines.length > 0 ? [[...options, ...lines].join('\n')] : []),
    `\`\`\`sh\n${code.join('\n')}\n\`\`\``,
  ].join('\n\n');
}

/** docs/cli.md: every command with its options and examples. */
export const cliPage = (): string => `# Commands

\`capstan\` at a terminal opens a conversation in this folder; it takes \`--workspace\`, \`--continue\`, \`--session\`, \`--provider\` and
\`--model\`. \`capstan "fix the tests"\` carries out one task, \`capstan run -\` reads it from stdin, and \`capstan <command> --help\` shows a
command. Results go to stdout, everything else to stderr. A line below is: name and arguments · what it does · its own options · the
options that it shares with other commands. \`<run>\`, \`<session>\` and \`<question>\` are an id or its last 8 characters; commands that only
read also take 4 or more, and \`last\` for the newest run or session of the folder.

## Shared options

${table(standardOptions.map(rowOf))}

${commands.map(section).join('\n\n')}

## Exit codes

${Object.entries(exitCodeWords)
  .map(([name, words]) => `**${exitCodes[name as keyof typeof exitCodes]}** ${words}`)
  .join(' · ')}
`;

import type { CommandDefinition } from '../src/cli/command.ts';
import { commands } from '../src/cli/commands.ts';
import { exitCodes } from '../src/cli/errors/exit-codes.ts';

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

function section(definition: CommandDefinition, path: string, depth: string): string {
  const { name, summary, arguments: positionals, options, examples, subcommands = [] } = definition;
  const line = [path, name, positionals].filter(Boolean).join(' ');
  const table = options.map(
    ({ flags, description }) => `| \`${cell(flags)}\` | ${cell(description)} |`,
  );
  return [
    `${depth} ${line}\n\n${summary}.`,
    ...(table.length > 0 ? [`| option | |\n|---|---|\n${table.join('\n')}`] : []),
    ...(examples.length > 0 ? [`\`\`\`sh\n${examples.join('\n')}\n\`\`\``] : []),
    ...subcommands.map((subcommand) => section(subcommand, `${path} ${name}`, `${depth}#`)),
  ].join('\n\n');
}

/** docs/cli.md: every command with its options and examples. */
export const cliPage = (): string => `# Commands

What \`--help\` shows, in one page. Results go to stdout, everything else to stderr.

${commands.map((command) => section(command, 'capstan', '##')).join('\n\n')}

## Exit codes

| code | |
|---|---|
${Object.entries(exitCodes)
  .map(([name, code]) => `| ${code} | ${name} |`)
  .join('\n')}
`;

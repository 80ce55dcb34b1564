import { PROVIDERS } from '../../contract/vendors.ts';
import type { CommandOptions } from '../command.ts';
import type { CommandContext } from '../with-capstan.ts';
import { textOption } from './option-value.ts';

/** Options that several commands have, each with its only wording. */
export const standard = {
  json: { '--json': 'print one JSON document' },
  quiet: { '-q, --quiet': 'no progress on stderr; warnings are still printed' },
  yes: { '-y, --yes': 'do not ask for confirmation' },
  dryRun: { '--dry-run': 'only show what would happen' },
  limit: { '-n, --limit <count>': 'at most this many (default: 20)' },
  since: { '--since <when>': 'only since this day or time, or in the last 90m, 12h, 7d or 4w' },
  out: { '-o, --out <file>': 'the file to write; - is stdout' },
  workspace: { '-w, --workspace <dir>': 'folder to work in (default: the current folder)' },
  trustProject: { '--trust-project': "trust the project's files for this command (for CI)" },
  policy: { '--policy <file>': 'use this rules file instead of your policy.yaml' },
  provider: { '--provider <name>': PROVIDERS },
  model: { '--model <name>': "the provider's model, for every kind of call" },
  budget: { '--budget-usd <amount>': 'spending limit; setting it is the consent to spend' },
  timeout: { '--timeout <seconds>': 'time limit' },
  requireIsolation: {
    '--require-isolation <level>':
      'A, B or C: refuse to start at a lower level (exit code 7); auto: start at any',
  },
  noIsolation: {
    '--dangerously-no-isolation': 'run everything without a sandbox, with your own permissions',
  },
} as const satisfies Readonly<Record<string, CommandOptions>>;

/** Options of every command that runs capsules. */
export const isolationFlags: CommandOptions = {
  ...standard.requireIsolation,
  ...standard.noIsolation,
};

/** Options of commands that include a project's capsules. */
export const projectOptions: CommandOptions = { ...standard.workspace, ...standard.trustProject };

type Called = Pick<CommandContext, 'args' | 'io'>;

/** For lists that show one folder. */
export const allFolders: CommandOptions = { '--all': 'of all folders' };

/** The folder whose runs to list; undefined for those of all folders. */
export function folderOption({ args: { options }, io }: Called): string | undefined {
  if (options['all'] === true) return undefined;
  return textOption(options['workspace']) ?? (io.environment['CAPSTAN_WORKSPACE'] || '.');
}

/** The text of a list without rows. @param what `runs`. @param isFiltered Whether there may be others, without the filter. */
export function noneText(what: string, folder: string | undefined, isFiltered = false): string {
  const none = isFiltered ? `No ${what} match` : `There are no ${what}`;
  if (folder === undefined) return isFiltered ? `${none}.\n` : `${none} yet.\n`;
  const here = isFiltered ? ' in this folder' : ' of this folder yet';
  return `${none}${here}. Those of all folders: capstan ${what} list --all\n`;
}

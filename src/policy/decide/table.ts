import { relative } from 'node:path';
import type { Operation, Tier } from '../../contract/permissions/operation.ts';
import type { Trust } from '../../contract/permissions/trust.ts';
import { printable } from '../../contract/text/printable.ts';
import { grantsHost } from '../grants/grants.ts';
import { urlsOf } from '../names/host-name.ts';
import { whatRuns } from '../names/what-runs.ts';
import type { PathFacts, ToolCallFacts } from './tool-call-facts.ts';

export type TableAnswer = 'allow' | 'one_in_ten' | 'ask';

/** One row of the table of step 5. */
export interface TableRow {
  readonly id: string;
  readonly answers: Readonly<Record<Trust, TableAnswer>>;
  /** For people, as a sentence. */
  readonly why: string | ((facts: ToolCallFacts) => string);
  applies(operation: Operation, facts: ToolCallFacts): boolean;
}

const always = (answer: TableAnswer): TableRow['answers'] => ({
  supervised: answer,
  sampling: answer,
  autonomous: answer,
});
const growing = { supervised: 'ask', sampling: 'one_in_ten', autonomous: 'allow' } as const;

/** The first match wins. The last row matches everything. */
export const table: readonly TableRow[] = [
  {
    id: 'unnamed_host_after_private_read',
    answers: always('ask'),
    why: 'The run has read files, and neither the settings nor the task name the host: the request may carry them out.',
    applies: (operation, facts) => facts.hasReadPrivate && asksUnnamedHost(operation, facts),
  },
  {
    id: 'unnamed_host_of_command',
    answers: always('ask'),
    why: 'It can read the workspace and reaches a host that neither the settings nor the task name: it may carry files out.',
    applies: (operation, facts) =>
      operation.command !== undefined && asksUnnamedHost(operation, facts),
  },
  {
    id: 'sandboxed_read',
    answers: always('allow'),
    why: 'It runs with the workspace read-only and without network, so it can change nothing: what it tries to write fails.',
    applies: (operation, facts) => isSandboxedRead(operation, facts) && !isSaved(operation),
  },
  {
    id: 'execute_text',
    answers: { supervised: 'ask', sampling: 'ask', autonomous: 'one_in_ten' },
    why: 'What a shell string or a program does cannot be seen from its words.',
    applies: (operation, facts) =>
      operation.command !== undefined &&
      operation.command.kind !== 'argv' &&
      !isSandboxedRead(operation, facts),
  },
  {
    id: 'execute_argv',
    answers: growing,
    why: 'It runs a program.',
    applies: (operation, facts) =>
      operation.command !== undefined && !isSandboxedRead(operation, facts),
  },
  {
    id: 'change_remote',
    answers: growing,
    why: 'It may change something on another machine.',
    applies: ({ url, tier }) => url !== undefined && tier > 0,
  },
  {
    id: 'get_named_host',
    answers: always('allow'),
    why: 'The settings or the task name the host.',
    applies: (operation, facts) =>
      operation.url !== undefined && !asksUnnamedHost(operation, facts),
  },
  {
    id: 'get_other_host',
    answers: growing,
    why: 'Neither the settings nor the task name the host.',
    applies: ({ url }) => url !== undefined,
  },
  {
    id: 'read_workspace',
    answers: always('allow'),
    why: 'It reads in the workspace.',
    applies: ({ tier }) => tier === 0,
  },
  {
    id: 'write_own_file',
    answers: always('allow'),
    why: 'The file is new, Capstan created it, or this run changed it last.',
    applies: (operation, facts) =>
      ownTier(operation, facts) === 1 &&
      facts.paths.length > 0 &&
      facts.paths.every((path) => isOwnPlainFile(path, facts.workspace)),
  },
  {
    id: 'write_other_file',
    answers: growing,
    why: whyOther,
    applies: (operation, facts) => ownTier(operation, facts) === 1,
  },
  {
    id: 'anything_else',
    answers: always('ask'),
    why: 'Nothing else is said about it.',
    applies: () => true,
  },
];

function isOwnPlainFile(facts: PathFacts, workspace: string): boolean {
  const { access, state, isExecutable, isDatabase, isRemoved } = facts;
  if (isRemoved) return state === 'absent';
  if (access === 'read' || state === 'unchanged') return true;
  if (isDatabase && state !== 'absent') return false;
  if (isExecutable || whatRunsIt(facts, workspace) !== undefined) return false;
  return state === 'absent' || state === 'written_last_by_capstan';
}

/** A link may lead to another name. */
const whatRunsIt = ({ path, realPath }: PathFacts, workspace: string): string | undefined =>
  whatRuns(path) ?? whatRuns(relative(workspace, realPath));

/** Why each written file is asked about. */
function whyOther({ paths, workspace }: ToolCallFacts): string {
  const found = paths.filter((path) => !isOwnPlainFile(path, workspace));
  if (found.length === 0) return 'It names no file.';
  return [...new Set(found.map((path) => whyWritten(path, workspace)))].join(' ');
}

function whyWritten(found: PathFacts, workspace: string): string {
  const name = printable(found.path);
  if (found.isRemoved) return `It removes ${name}.`;
  const change = `It ${found.state === 'absent' ? 'writes' : 'changes'}`;
  if (found.isDatabase && found.state !== 'absent') return `${change} the database ${name}.`;
  const program = whatRunsIt(found, workspace);
  if (program !== undefined) return `${change} ${name}, which is run or obeyed by ${program}.`;
  if (found.isExecutable) return `${change} ${name}, which can be executed.`;
  return found.state === 'changed_since_read'
    ? `${change} ${name}, which changed after this run read it.`
    : `${change} ${name}, a file that Capstan did not create.${ONCE_ALLOWED}`;
}

/** What a yes covers: part of a question, not of a denial. */
export const ONCE_ALLOWED =
  ' Once allowed, this run may change it again without asking, until you change it.';

function asksUnnamedHost(operation: Operation, { namedHosts }: ToolCallFacts): boolean {
  const urls = urlsOf(operation);
  if (urls.length === 0) return false;
  const named = { hosts: [...namedHosts] };
  return urls.some((one) => !grantsHost(named, one));
}

function isSandboxedRead({ command, network }: Operation, { isolation }: ToolCallFacts): boolean {
  return command?.access === 'read' && network === undefined && isolation === 'A';
}

/** Whether the output of a program is written to a file by the tool itself. */
const isSaved = ({ command, paths }: Operation): boolean =>
  command !== undefined && paths.some(({ access }) => access === 'write');

/** A command that can't change anything can be repeated. */
export const repeatabilityOf = <Class extends string>(
  operation: Operation & { readonly repeatability: Class },
  facts: ToolCallFacts,
): Class | 'pure' =>
  isSandboxedRead(operation, facts) && !isSaved(operation) ? 'pure' : operation.repeatability;

/**
 * All tiers of an operation under the current facts: a command that can't change anything is a read, and a request to a host
 * that nobody named has an additional tier.
 */
export function tiersOf(operation: Operation, facts: ToolCallFacts): readonly Tier[] {
  const own = ownTier(operation, facts);
  return maySpend(operation, facts) ? [own, 3] : [own];
}

/** A service without a known price is not free, and a request to the host of a paid service costs, whatever its tool. */
const maySpend = ({ service, url }: Operation, { costMicroUsd }: ToolCallFacts): boolean =>
  costMicroUsd === undefined ? service !== undefined : url !== undefined && costMicroUsd > 0;

function ownTier(operation: Operation, facts: ToolCallFacts): Tier {
  const { command, tier } = operation;
  if (isSandboxedRead(operation, facts)) return isSaved(operation) ? 1 : 0;
  if (command !== undefined) return 2;
  return tier === 0 && asksUnnamedHost(operation, facts) ? 1 : tier;
}

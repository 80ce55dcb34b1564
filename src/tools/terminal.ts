import * as z from 'zod';
import type { Granted } from '../contract/permissions/granted.ts';
import type { Command, Operation } from '../contract/permissions/operation.ts';
import type { ToolCall } from './define/call.ts';
import { givesByPrograms, hasAny } from './define/gives.ts';
import type { Cut } from './define/offer.ts';
import { defineTool, pathArg, wordArg } from './define/tool.ts';
import { inFolder, openPassage } from './files/paths.ts';
import { networkHosts } from './network/network-hosts.ts';
import { PRIVATE_PLACES } from './private-places/private-places.ts';
import { type ProcessRequest, type ProcessResult, runProcess } from './process/run-process.ts';

const word = () => wordArg(131_072);

const PURPOSE =
  'Runs a command in the workspace, without input, and returns its exit code and output. A non-zero exit code is a result, not a failure.';

/** What a process may do to the workspace. */
export const ACCESS = ['read', 'write'] as const;

/** Arguments that every tool that starts a process has. */
export const processArgs = () => ({
  access: z
    .enum(ACCESS)
    .default('read')
    .describe('The access that it needs to the workspace. Use `write` only if it changes files.'),
  timeout_sec: z
    .number()
    .positive()
    .max(3_600)
    .optional()
    .describe('Stopped after this time. Default and limit: the setting for tools.'),
  network: networkHosts(),
});
type ProcessArgs = z.output<z.ZodObject<ReturnType<typeof processArgs>>>;

const args = () =>
  z
    .strictObject({
      argv: z
        .tuple([word().min(1)], word(), 'must be a list of words, such as ["ls", "-l"]')
        .refine((words) => words.length <= 1_000, 'must have at most 1000 words')
        .optional()
        .describe('Program and arguments, word by word; no shell. Prefer this.'),
      command: word()
        .min(1)
        .optional()
        .describe('A bash command line, if pipes or redirections are needed.'),
      cwd: pathArg().default('.').describe('Folder in the workspace. Default: the workspace.'),
      ...processArgs(),
    })
    .refine(({ argv, command }) => (argv === undefined) !== (command === undefined), {
      message: 'give either argv or command',
      path: ['argv'],
    });
type Args = z.output<ReturnType<typeof args>>;

/** The description of a tool that starts a process. */
export const describeProcess = (purpose: string, hasHosts = true): string =>
  `${purpose} It has no network${hasHosts ? ', except to the hosts in `network`' : ''}. ${PRIVATE_PLACES}`;

/** What a grant leaves of a tool that starts a process. @param others Of its other arguments, those that can't be used. */
export const cutProcess = (
  purpose: string,
  { can, hasHosts }: Granted,
  others: readonly string[],
): Cut => ({
  description: describeProcess(purpose, hasHosts),
  leaveOut: hasHosts ? others : ['network', ...others],
  choices: { access: ACCESS.filter(can) },
});

export const terminal = defineTool({
  name: 'terminal',
  effects: 'process',
  operations: ACCESS,
  gives(use) {
    if (!hasAny(use.grant.commands)) return [];
    const writes = use.can('write') ? (['write'] as const) : [];
    return ['execute', 'command', ...writes, ...givesByPrograms(use)];
  },
  forNewCapsules: {
    grant: { commands: ['**'], hosts: ['*'] },
    calledBy: ['command', 'terminal', 'shell', 'git\\b', 'build', 'compil', 'install', 'npm\\b'],
    chosenFor: ['command'],
  },
  words: () => ({ does: 'run', done: 'run', verb: 'run' }),
  remembers: 'argv',
  description: describeProcess(PURPOSE),
  args,
  cut: (granted) => cutProcess(PURPOSE, granted, granted.hasShell ? [] : ['command']),
  operation: operationOf,
  async perform(given, context) {
    const argv: ProcessRequest['argv'] = given.argv ?? ['bash', '-c', given.command ?? ''];
    const program = { argv, cwd: given.cwd };
    return { result: await runInFolder(program, given, { tool: 'terminal', context }) };
  },
});

/** Runs a program in a folder of the workspace, within the time limit of the call. */
export async function runInFolder(
  { cwd, ...program }: Pick<ProcessRequest, 'argv' | 'cwd' | 'stdin' | 'spool'>,
  { access, network, timeout_sec: timeoutSec = Number.POSITIVE_INFINITY }: ProcessArgs,
  call: ToolCall,
): Promise<ProcessResult> {
  using folder = await openPassage(cwd, call);
  const place = { cwd: inFolder(folder, '.'), folder: folder.path };
  const timeoutMs = Math.min(timeoutSec * 1_000, call.context.timeoutMs);
  return await runProcess({ ...program, ...place, access, network, timeoutMs }, call);
}

function operationOf(given: Args): Omit<Operation, 'tool'> {
  const { access, cwd } = given;
  const command: Command =
    given.argv === undefined
      ? { kind: 'shell', text: given.command ?? '', access, cwd }
      : { kind: 'argv', argv: given.argv, access, cwd };
  return {
    name: `terminal.${access}`,
    tier: 2,
    repeatability: 'unsafe',
    paths: [],
    command,
    network: given.network,
    target: given.argv?.join(' ') ?? given.command ?? '',
  };
}

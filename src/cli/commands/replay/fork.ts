import type { Capstan } from '../../../app/open-capstan.ts';
import type { ForkOptions } from '../../../app/runs/history/fork-run.ts';
import { AppError } from '../../../contract/errors.ts';
import type { CommandArguments, CommandDefinition, CommandIo } from '../../command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { confirm } from '../../io/confirm.ts';
import { isolationFlags } from '../../options/isolation-flags.ts';
import { standard } from '../../options/standard-options.ts';
import { resumeAtTerminal } from '../../run/resume-at-terminal.ts';
import { shortId } from '../../text/short-id.ts';
import { previewText, requestsText } from './fork-text.ts';

export const command: CommandDefinition = {
  name: 'fork',
  topic: 'Again',
  brief: 'from a request on',
  summary: 'Start a new run with the history of another one up to a request',
  arguments: '<run>',
  options: [
    {
      flags: '--at <request>',
      description: 'the last request to share: its number or id (default: list them)',
    },
    standard.workspace,
    { flags: '--force', description: 'continue even if files there differ from the history' },
    ...isolationFlags,
    standard.timeout,
    standard.json,
    standard.quiet,
  ],
  examples: [
    'capstan runs fork 9c41d07e',
    'capstan runs fork 9c41d07e --at 7 --workspace ../copy',
    'capstan runs fork 9c41d07e --at 7 --workspace . --force --json',
  ],
  async run(args, io) {
    const forked = await fork(args, io);
    if (!forked) return exitCodes.usage;
    return resumeAtTerminal(forked.id, args, io);
  },
};

/** Creates the new run, parked. Undefined if the requests were only listed. */
async function fork(
  args: CommandArguments,
  io: CommandIo,
): Promise<{ readonly id: string } | undefined> {
  const { openCapstan } = await import('../../../app/open-capstan.ts');
  const capstan = await openCapstan({ env: io.environment, cwd: io.cwd });
  try {
    if (args.options['at'] !== undefined) return await forkAt(capstan, args, io);
    io.stdout(requestsText(await capstan.runs.requests(args.positionals[0] ?? '')));
    io.stderr('Name the last request to share: --at <request>\n');
    return undefined;
  } finally {
    await capstan.close();
  }
}

async function forkAt(
  { runs }: Capstan,
  args: CommandArguments,
  io: CommandIo,
): Promise<{ readonly id: string }> {
  const request = requestOf(args);
  const preview = await runs.previewFork(request);
  const different = preview.files.filter((file) => !file.isAsExpected).length;
  const isQuiet = args.options['quiet'] === true && different === 0;
  const print = isQuiet ? () => {} : io.stderr;
  print(previewText(preview));
  const force =
    request.force === true || (different > 0 && (await mayContinue(different, args, io)));
  const forked = await runs.fork({ ...request, force });
  const origin = `request ${preview.at} of run ${shortId(preview.runId)}`;
  print(`run ${shortId(forked.id)} continues from ${origin}\n`);
  return forked;
}

function requestOf({ positionals, options }: CommandArguments): ForkOptions {
  const { at, workspace, force } = options;
  if (typeof workspace === 'string') {
    return { run: positionals[0] ?? '', at: String(at), workspace, force: force === true };
  }
  const problem = 'Name the folder of the new run: --workspace <dir>. Its files are not rewound.';
  throw new AppError('USAGE', { problem });
}

async function mayContinue(
  different: number,
  { options }: CommandArguments,
  io: CommandIo,
): Promise<boolean> {
  if (!io.isTerminal || options['json'] === true) return false;
  return confirm(`Continue although ${different} of these files differ?`, io);
}

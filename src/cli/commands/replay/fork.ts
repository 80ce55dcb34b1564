import type { CommandDefinition } from '../../command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { usage } from '../../errors/usage.ts';
import { confirm } from '../../io/confirm.ts';
import { isolationFlags, standard } from '../../options/standard-options.ts';
import { resumeAtTerminal } from '../../run/resume-at-terminal.ts';
import { shortId } from '../../text/short-id.ts';
import { type CommandContext, inCapstan } from '../../with-capstan.ts';
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
    const id = await inCapstan(args, io, fork);
    return id === undefined ? exitCodes.usage : resumeAtTerminal(id, args, io);
  },
};

/** Creates the new run, parked. Undefined if the requests were only listed. */
async function fork(context: CommandContext): Promise<string | undefined> {
  const { capstan, io, named, has, text } = context;
  if (text('at') === undefined) {
    io.stdout(requestsText(await capstan.runs.requests(named)));
    io.stderr('Name the last request to share: --at <request>\n');
    return undefined;
  }
  const request = requestOf(context);
  const preview = await capstan.runs.previewFork(request);
  const different = preview.files.filter((file) => !file.isAsExpected).length;
  const print = has('quiet') && different === 0 ? () => {} : io.stderr;
  print(previewText(preview));
  const force = request.force || (different > 0 && (await mayContinue(different, context)));
  const { id } = await capstan.runs.fork({ ...request, force });
  const origin = `request ${preview.at} of run ${shortId(preview.runId)}`;
  print(`run ${shortId(id)} continues from ${origin}\n`);
  return id;
}

function requestOf({ named, has, text }: CommandContext) {
  const workspace = text('workspace');
  if (workspace === undefined)
    throw usage('Name the folder of the new run: --workspace <dir>. Its files are not rewound.');
  return { run: named, at: String(text('at')), workspace, force: has('force') };
}

const mayContinue = async (different: number, { io, isJson }: CommandContext): Promise<boolean> =>
  io.isTerminal &&
  !isJson &&
  (await confirm(`Continue although ${different} of these files differ?`, io));

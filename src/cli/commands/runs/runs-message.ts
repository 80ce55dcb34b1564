import type { CommandDefinition } from '../../command.ts';
import { nextLines, withCommands } from '../../errors/next-command.ts';
import { isolationFlags, standard } from '../../options/standard-options.ts';
import { resumeAtTerminal } from '../../run/open-at-terminal.ts';
import { shortId } from '../../text/short-id.ts';
import {
  type CommandContext,
  type CommandResult,
  inCapstan,
  printResult,
} from '../../with-capstan.ts';

export const runsMessage: CommandDefinition = {
  name: 'message',
  summary: 'Send a message to a running or interrupted run',
  arguments: '<run> <text>',
  options: {
    '--leave-parked': 'do not continue an interrupted run',
    ...isolationFlags,
    ...standard.json,
    ...standard.quiet,
  },
  examples: [
    'capstan runs message 9c41d07e "only the orders of March"',
    'capstan runs message 9c41d07e "leave the tests as they are" --leave-parked',
  ],
  async run(args, io) {
    // The message is stored before the run is resumed, so that it is never lost.
    const sent = await inCapstan(args, io, send);
    if (typeof sent === 'string') return resumeAtTerminal(sent, args, io);
    return printResult(sent, args, io);
  },
};

/** Sends the message. Returns the id of a run that is to be resumed, or what to print. */
async function send({ capstan, args, has }: CommandContext): Promise<string | CommandResult> {
  const [run = '', text = ''] = args.positionals;
  const { id, runId } = await capstan.runs.message(run, text, { by: 'cli' });
  const { status, reason, next } = (await capstan.runs.get(runId)).document;
  const isInterrupted = status === 'parked' && reason === 'interrupted';
  if (isInterrupted && !has('leaveParked')) return runId;
  const when = status === 'running' ? 'gets it with its next step' : 'gets it once it is resumed';
  return {
    json: { run_id: runId, message_id: id, status, next: withCommands(next) },
    text: `Run ${shortId(runId)} ${when}.\n${nextLines(next)}`,
  };
}

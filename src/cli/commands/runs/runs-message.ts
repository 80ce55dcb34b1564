import type { NextAction } from '../../../contract/next.ts';
import type { CommandArguments, CommandDefinition, CommandIo } from '../../command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { commandLinesOf, withCommands } from '../../errors/next-command.ts';
import { printJson } from '../../io/print-json.ts';
import { isolationFlags } from '../../options/isolation-flags.ts';
import { standard } from '../../options/standard-options.ts';
import { resumeAtTerminal } from '../../run/resume-at-terminal.ts';
import { shortId } from '../../text/short-id.ts';
import { withCapstan } from '../../with-capstan.ts';

export const runsMessage: CommandDefinition = {
  name: 'message',
  topic: 'Change',
  brief: 'tell it something while it works',
  summary: 'Send a message to a running or interrupted run; an interrupted one continues',
  arguments: '<run> <text>',
  options: [
    { flags: '--leave-parked', description: 'do not continue an interrupted run' },
    ...isolationFlags,
    standard.json,
    standard.quiet,
  ],
  examples: [
    'capstan runs message 9c41d07e "only the orders of March"',
    'capstan runs message 9c41d07e "leave the tests as they are" --leave-parked',
  ],
  run: message,
};

async function message(args: CommandArguments, io: CommandIo): Promise<number> {
  const sent: Sent = await send(args, io);
  if (sent.isInterrupted && args.options['leaveParked'] !== true)
    return resumeAtTerminal(sent.runId, args, io);
  const { runId, id, status, next } = sent;
  if (args.options['json'] === true) {
    printJson(io, { run_id: runId, message_id: id, status, next: withCommands(next) });
  } else {
    const when = status === 'running' ? 'gets it with its next step' : 'gets it once it is resumed';
    io.stdout(`Run ${shortId(runId)} ${when}.\n`);
    for (const line of next.flatMap(commandLinesOf)) io.stdout(`  ${line}\n`);
  }
  return exitCodes.completed;
}

interface Sent {
  readonly id: string;
  readonly runId: string;
  readonly status: string;
  /** A person stopped it. */
  readonly isInterrupted: boolean;
  readonly next: readonly NextAction[];
}

/** Stores the message before the run is resumed, so that it is never lost. */
async function send(args: CommandArguments, io: CommandIo): Promise<Sent> {
  const sent: Sent[] = [];
  await withCapstan(async ({ capstan }) => {
    const [run = '', text = ''] = args.positionals;
    const { id, runId } = await capstan.runs.message(run, text, { by: 'cli' });
    const { status, reason, next } = (await capstan.runs.get(runId)).document;
    const isInterrupted = status === 'parked' && reason === 'interrupted';
    sent.push({ id, runId, status, isInterrupted, next });
    return exitCodes.completed;
  })(args, io);
  const [one] = sent;
  if (!one) throw new Error('the message was not sent');
  return one;
}

import type {
  ReplayedCapsule,
  ReplayReport,
  ReplayStart,
} from '../../../app/runs/history/replay-run.ts';
import { failedWith } from '../../../contract/errors.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import type { CommandArguments, CommandDefinition, CommandIo } from '../../command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { printJson } from '../../io/print-json.ts';
import { abortOnSignal, exitCodeOfSignal, type StopSignal } from '../../io/watch-signals.ts';
import { isIsolationWaived } from '../../options/isolation-flags.ts';
import { standard } from '../../options/standard-options.ts';
import { type CommandContext, withCapstan } from '../../with-capstan.ts';
import { replayDocument, replayText } from './replay-text.ts';

export const command: CommandDefinition = {
  name: 'replay',
  topic: 'Again',
  brief: 'from its record',
  summary: 'Run a recorded run again, without keys, network or effects, and compare',
  arguments: '<run|file>',
  options: [
    { flags: '--strict', description: 'fail if a capsule changed since the run' },
    standard.noIsolation,
    standard.json,
  ],
  examples: ['capstan runs replay 9c41d07e', 'capstan runs replay run-9c41d07e.json --strict'],
  run: withCapstan(replay),
};

async function replay({ capstan, args, io }: CommandContext): Promise<number> {
  // A replay has no effects to complete: the first signal stops it immediately.
  const watch = abortOnSignal(() => {});
  try {
    const report = await capstan.runs.replay(args.positionals[0] ?? '', {
      strict: args.options['strict'] === true,
      isIsolationWaived: isIsolationWaived(args.options),
      signal: watch.signal,
      onStart: (start) => warn(start, args, io),
    });
    if (args.options['json'] === true) printJson(io, replayDocument(report));
    else io.stdout(replayText(report));
    return exitCodeOf(report);
  } catch (error) {
    return exitCodeOfFailure(error, watch.received());
  } finally {
    watch.stop();
  }
}

const exitCodeOf = ({ isIdentical }: ReplayReport): number =>
  isIdentical ? exitCodes.completed : exitCodes.failed;

/** @throws The error, unless a signal stopped the replay. */
function exitCodeOfFailure(error: unknown, signal: StopSignal | undefined): number {
  if (signal === undefined || !failedWith(error, 'CANCELLED')) throw error;
  return exitCodeOfSignal[signal];
}

/** Warns about differences between the recording and this installation before anything starts. */
function warn(
  { recordedBy, version, capsules }: ReplayStart,
  { options }: CommandArguments,
  io: CommandIo,
): void {
  const line = (text: string) => io.stderr(`! ${text}\n`);
  if (recordedBy !== version) {
    line(`The recording was made by Capstan ${escapeText(recordedBy)}; this is ${version}.`);
  }
  if (options['json'] === true) return;
  for (const capsule of capsules.filter(isChanged)) {
    const hashes = `${short(capsule.recordedHash)} then, ${short(capsule.hash)} now`;
    line(`The capsule "${capsule.id}" changed since the run: ${hashes}.`);
  }
  for (const { id } of capsules.filter(({ state }) => state === 'rebuilt')) {
    line(`The capsule "${id}" is not installed; it was rebuilt from the recording.`);
  }
}

const isChanged = ({ hash, recordedHash }: ReplayedCapsule): boolean => hash !== recordedHash;
const short = (hash: string): string => hash.slice(0, 12);

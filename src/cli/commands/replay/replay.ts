import type { ReplayedCapsule, ReplayStart } from '../../../app/runs/history/replay-run.ts';
import { failedWith } from '../../../contract/errors.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import type { CommandDefinition } from '../../command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { abortOnSignal, exitCodeOfSignal } from '../../io/watch-signals.ts';
import { standard } from '../../options/standard-options.ts';
import { type CommandContext, type CommandResult, withCapstan } from '../../with-capstan.ts';
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

async function replay(context: CommandContext): Promise<CommandResult | number> {
  const { capstan, named, has } = context;
  // A replay has no effects to complete: the first signal stops it immediately.
  const watch = abortOnSignal(() => {});
  try {
    const report = await capstan.runs.replay(named, {
      strict: has('strict'),
      isIsolationWaived: has('dangerouslyNoIsolation'),
      signal: watch.signal,
      onStart: (start) => warn(start, context),
    });
    const exitCode = report.isIdentical ? exitCodes.completed : exitCodes.failed;
    return { json: replayDocument(report), text: replayText(report), exitCode };
  } catch (error) {
    const signal = watch.received();
    if (signal === undefined || !failedWith(error, 'CANCELLED')) throw error;
    return exitCodeOfSignal[signal];
  } finally {
    watch.stop();
  }
}

/** Warns about differences between the recording and this installation before anything starts. */
function warn(
  { recordedBy, version, capsules }: ReplayStart,
  { io, isJson }: CommandContext,
): void {
  const line = (text: string) => io.stderr(`! ${text}\n`);
  if (recordedBy !== version) {
    line(`The recording was made by Capstan ${escapeText(recordedBy)}; this is ${version}.`);
  }
  if (isJson) return;
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

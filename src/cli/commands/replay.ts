import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { installFolder } from '../../config/install-folder.ts';
import { packageVersion } from '../../config/package-version.ts';
import { findPlaces, makePlaces } from '../../config/places.ts';
import { AppError, failedWith } from '../../contract/errors.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import type { Recording } from '../../history/replay/recording.ts';
import type { ReplayCapsule } from '../../history/replay/replay-capsules.ts';
import type { Replay } from '../../history/replay/replay-run.ts';
import type { Divergence } from '../../history/replay/replay-track.ts';
import type { CapsuleRunner } from '../../runtime/runner.ts';
import type { CommandArguments, CommandDefinition, CommandIo } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { isIsolationWaived } from '../isolation-flags.ts';
import { printJson } from '../print-json.ts';
import { readRecordingSource } from '../recording-source.ts';
import { abortOnSignal, exitCodeOfSignal } from '../watch-signals.ts';

export const command: CommandDefinition = {
  name: 'replay',
  summary: 'Carry out a run again from its journal, without key, network or effect, and compare',
  arguments: '<run|file>',
  options: [
    { flags: '--strict', description: 'refuse where a capsule is not what the run ran' },
    {
      flags: '--dangerously-no-isolation',
      description: 'run the capsules without a sandbox, with your rights',
    },
    { flags: '--json', description: 'print JSON' },
  ],
  examples: ['capstan replay 0199', 'capstan replay run-0199.json --strict'],
  run: replay,
};

async function replay(args: CommandArguments, io: CommandIo): Promise<number> {
  const { recording, installed } = await readRecordingSource(args.positionals[0] ?? '', io);
  const { replayRun } = await import('../../history/replay/replay-run.ts');
  const runCapsule = await sandboxed(args, io);
  const watch = abortOnSignal();
  try {
    const replayed = await replayRun(recording, {
      installed,
      sdk: join(installFolder(), 'dist/capsule-sdk.cjs'),
      runCapsule,
      signal: watch.signal,
      onCapsules(capsules) {
        if (recording.capstan !== packageVersion()) io.stderr(`! ${otherVersion(recording)}\n`);
        judgeCapsules(recording.run.id, capsules, { args, io });
      },
    });
    const isJson = args.options['json'] === true;
    if (isJson) printJson(io, documentOf(replayed));
    else io.stdout(asText(replayed));
    return replayed.isIdentical ? exitCodes.completed : exitCodes.failed;
  } catch (error) {
    const signal = watch.received();
    if (signal === undefined || !failedWith(error, 'CANCELLED')) throw error;
    return exitCodeOfSignal[signal];
  } finally {
    watch.stop();
  }
}

/** Capsules are started again at the level that is in force today. */
async function sandboxed({ options }: CommandArguments, io: CommandIo): Promise<CapsuleRunner> {
  const { assertIsolation, isolated, openIsolation } = await import(
    '../../app/wiring/isolation.ts'
  );
  const places = findPlaces(io.environment, io.cwd);
  makePlaces(places);
  const isWaived = isIsolationWaived(options);
  const isolation = await openIsolation({ places, sandboxRead: [] }, isWaived);
  assertIsolation({ isolation: 'auto' }, isolation, undefined);
  return isolated(isolation, { places });
}

const otherVersion = ({ capstan }: Recording): string =>
  `Capstan ${escapeText(capstan)} wrote the recording, and this is ${packageVersion()}.`;

interface Asked {
  readonly args: CommandArguments;
  readonly io: CommandIo;
}

/** Says which capsules are not what the run ran, before any of them starts. */
function judgeCapsules(
  id: string,
  capsules: readonly ReplayCapsule[],
  { args: { options }, io }: Asked,
): void {
  const other = capsules.filter(({ hash, recordedHash }) => hash !== recordedHash);
  if (other.length > 0 && options['strict'] === true) {
    const names = other.map(({ capsule }) => `"${capsule.id}"`).join(', ');
    const problem = `${names} changed since the run (--strict)`;
    throw new AppError('RUN_NOT_REPLAYABLE', { id, problem });
  }
  if (options['json'] === true) return;
  for (const { capsule, hash, recordedHash } of other) {
    const was = `it was ${short(recordedHash)}, it is ${short(hash)}`;
    io.stderr(`! The capsule "${capsule.id}" changed since the run: ${was}.\n`);
  }
  for (const { capsule } of capsules.filter(({ state }) => state === 'rebuilt')) {
    io.stderr(`! The capsule "${capsule.id}" is not installed; it was made from the recording.\n`);
  }
}

const short = (hash: string): string => hash.slice(0, 12);

function asText(replayed: Replay): string {
  const { run, carriedOut, answered, taken, divergence } = replayed;
  const lines = [
    `run ${escapeText(run.id)}: ${counted(carriedOut, 'attempt')} started again, ${counted(answered, 'request')} answered from the record`,
    ...taken.map(
      ({ subtaskId, number, capsuleId, error }) =>
        `not started again: ${subtaskId}, attempt ${number} of ${capsuleId}, which left no final (${error?.code ?? 'interrupted'})`,
    ),
  ];
  if (divergence) lines.push(...describe(divergence));
  else {
    const ending = run.reason ? `${run.status} (${run.reason})` : run.status;
    lines.push(`replayed: identical · ${ending} · answer ${answerHash(run.answer) ?? 'none'}`);
  }
  return `${lines.join('\n')}\n`;
}

const counted = (count: number, what: string): string =>
  `${count} ${what}${count === 1 ? '' : 's'}`;

/** SHA-256 of the final answer. */
const answerHash = (answer: string | null): string | null =>
  answer === null ? null : createHash('sha256').update(answer).digest('hex');

const describe = (divergence: Divergence): string[] => {
  const { recorded, now } = around(divergence, SHOWN_CHARS);
  return [
    `replayed: it differs, first in ${escapeText(divergence.where)}`,
    `  recorded: ${escapeText(recorded)}`,
    `  now:      ${escapeText(now)}`,
  ];
};

const SHOWN_CHARS = 600;
/** In JSON. */
const MOST_CHARS = 20_000;
const SHOWN_BEFORE = 200;

/** Both sides, cut to where they part. */
function around(
  { recorded, now }: Divergence,
  mostChars: number,
): Pick<Divergence, 'recorded' | 'now'> {
  if (Math.max(recorded.length, now.length) <= mostChars) return { recorded, now };
  let same = 0;
  while (same < recorded.length && recorded[same] === now[same]) same += 1;
  const from = Math.max(0, same - SHOWN_BEFORE);
  const cut = (text: string) =>
    `${from > 0 ? '…' : ''}${text.slice(from, from + mostChars)}${text.length > from + mostChars ? '…' : ''}`;
  return { recorded: cut(recorded), now: cut(now) };
}

const documentOf = ({ run, capsules, taken, divergence, ...rest }: Replay) => ({
  run_id: run.id,
  identical: rest.isIdentical,
  status: run.status,
  reason: run.reason,
  answer: run.answer,
  answer_sha256: answerHash(run.answer),
  attempts_started: rest.carriedOut,
  requests_answered: rest.answered,
  attempts_not_started: taken.map(({ subtaskId, number, capsuleId, error }) => ({
    subtask_id: subtaskId,
    number,
    capsule_id: capsuleId,
    error,
  })),
  capsules: capsules.map(({ capsule, state, recordedHash, hash }) => ({
    id: capsule.id,
    state: state === 'rebuilt' && hash !== recordedHash ? 'changed' : state,
    recorded_hash: recordedHash,
    hash,
  })),
  divergence: divergence ? { ...divergence, ...around(divergence, MOST_CHARS) } : null,
});

import type { ReplayReport, ReplayStart } from '../../../app/runs/history/replay-run.ts';
import { withDocumentKeys } from '../../../contract/documents/document-keys.ts';
import { failedWith } from '../../../contract/errors.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import type { CommandDefinition } from '../../command.ts';
import { abortOnSignal, exitCodeOfSignal } from '../../io/watch-signals.ts';
import { standard } from '../../options/standard-options.ts';
import { counted } from '../../text/format.ts';
import { shortId } from '../../text/short-id.ts';
import { type CommandContext, type CommandResult, withCapstan } from '../../with-capstan.ts';

export const command: CommandDefinition = {
  name: 'replay',
  summary: 'Repeat a run from its record, without effects, and compare',
  arguments: '<run|file>',
  options: {
    '--strict': 'fail if a capsule changed since the run',
    ...standard.noIsolation,
    ...standard.json,
  },
  examples: ['capstan runs replay 9c41d07e', 'capstan runs replay run-9c41d07e.json --strict'],
  run: withCapstan(replay),
};

async function replay(context: CommandContext): Promise<CommandResult | number> {
  const { capstan, named, has } = context;
  // A replay has no effects to complete: the first signal stops it immediately.
  const watch = abortOnSignal();
  try {
    const report = await capstan.runs.replay(named, {
      strict: has('strict'),
      isIsolationWaived: has('dangerouslyNoIsolation'),
      signal: watch.signal,
      onStart: (start) => warn(start, context),
    });
    return { json: replayDocument(report), text: replayText(report), isOk: report.isIdentical };
  } catch (error) {
    const signal = watch.received();
    if (signal === undefined || !failedWith(error, 'CANCELLED')) throw error;
    return exitCodeOfSignal[signal];
  } finally {
    watch.stop();
  }
}

/** Warns about differences between the recording and this installation before anything starts. */
function warn({ recordedBy, version, capsules }: ReplayStart, { io, isJson }: CommandContext) {
  const line = (text: string) => io.stderr(`! ${text}\n`);
  if (recordedBy !== version)
    line(`The recording was made by Capstan ${escapeText(recordedBy)}; this is ${version}.`);
  if (isJson) return;
  for (const { id, hash, recordedHash } of capsules) {
    const hashes = `${recordedHash.slice(0, 12)} then, ${hash.slice(0, 12)} now`;
    if (hash !== recordedHash) line(`The capsule "${id}" changed since the run: ${hashes}.`);
  }
  for (const { id } of capsules.filter(({ state }) => state === 'rebuilt'))
    line(`The capsule "${id}" is not installed; it was rebuilt from the recording.`);
}

type Divergence = NonNullable<ReplayReport['divergence']>;

function replayText(report: ReplayReport): string {
  const { runId, attemptsStarted, requestsAnswered, attemptsNotStarted, divergence } = report;
  const lines = [
    `run ${escapeText(shortId(runId))}: ${counted(attemptsStarted, 'attempt')} started again, ${counted(requestsAnswered, 'request')} answered from the record`,
    ...attemptsNotStarted.map(
      ({ subtaskId, number, capsuleId, error }) =>
        `not started again: ${subtaskId}, attempt ${number} of ${capsuleId}, which ended without a final (${error?.code ?? 'interrupted'})`,
    ),
    ...(divergence ? divergenceLines(divergence) : [identicalLine(report)]),
  ];
  return `${lines.join('\n')}\n`;
}

const replayDocument = ({ isIdentical, ...report }: ReplayReport) => ({
  ...withDocumentKeys(report),
  identical: isIdentical,
  attempts_not_started: report.attemptsNotStarted.map(withDocumentKeys),
  capsules: report.capsules.map(({ id, state, recordedHash, hash }) => ({
    id,
    state: state === 'rebuilt' && hash !== recordedHash ? 'changed' : state,
    recorded_hash: recordedHash,
    hash,
  })),
  divergence: report.divergence && {
    ...report.divergence,
    ...cutToDifference(report.divergence, MAX_JSON_CHARS),
  },
});

function identicalLine({ status, reason, answerSha256 }: ReplayReport): string {
  const ending = reason ? `${status} (${reason})` : status;
  return `replayed: identical · ${ending} · answer ${answerSha256 ?? 'none'}`;
}

function divergenceLines(divergence: Divergence): string[] {
  const { recorded, now } = cutToDifference(divergence, MAX_TEXT_CHARS);
  return [
    `replayed: it differs, first in ${escapeText(divergence.where)}`,
    `  recorded: ${escapeText(recorded)}`,
    `  now:      ${escapeText(now)}`,
  ];
}

const MAX_TEXT_CHARS = 600;
const MAX_JSON_CHARS = 20_000;
/** Characters before the difference that are shown. */
const LEAD_CHARS = 200;

/** Cuts long values to the part that contains their first difference. */
function cutToDifference({ recorded, now }: Divergence, maxChars: number) {
  if (Math.max(recorded.length, now.length) <= maxChars) return { recorded, now };
  let same = 0;
  while (same < recorded.length && recorded[same] === now[same]) same += 1;
  const from = Math.max(0, same - LEAD_CHARS);
  const cut = (text: string) =>
    `${from > 0 ? '…' : ''}${text.slice(from, from + maxChars)}${text.length > from + maxChars ? '…' : ''}`;
  return { recorded: cut(recorded), now: cut(now) };
}

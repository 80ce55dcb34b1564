import type { ReplayReport } from '../../../app/runs/history/replay-run.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { counted } from '../../format.ts';
import { jsonOf } from '../../io/json-of.ts';
import { shortId } from '../../text/short-id.ts';

type Divergence = NonNullable<ReplayReport['divergence']>;

/** How a replay compares with its recording, for a person. */
export function replayText(report: ReplayReport): string {
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

/** How a replay compares with its recording, as JSON. */
export const replayDocument = ({ isIdentical, ...report }: ReplayReport) => ({
  ...jsonOf(report),
  identical: isIdentical,
  attempts_not_started: report.attemptsNotStarted.map(jsonOf),
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
function cutToDifference(
  { recorded, now }: Divergence,
  maxChars: number,
): Pick<Divergence, 'recorded' | 'now'> {
  if (Math.max(recorded.length, now.length) <= maxChars) return { recorded, now };
  let same = 0;
  while (same < recorded.length && recorded[same] === now[same]) same += 1;
  const from = Math.max(0, same - LEAD_CHARS);
  const cut = (text: string) =>
    `${from > 0 ? '…' : ''}${text.slice(from, from + maxChars)}${text.length > from + maxChars ? '…' : ''}`;
  return { recorded: cut(recorded), now: cut(now) };
}

import type { Backtest, ChangedDecision } from '../../../app/policy/policy-api.ts';
import { AppError } from '../../../contract/errors.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { formatTable } from '../../format.ts';
import { printJson } from '../../io/print-json.ts';
import { policyOptions } from '../../options/policy-options.ts';
import { momentOf } from '../../text/moment.ts';
import { shortId } from '../../text/short-id.ts';
import { shorten } from '../../text/shorten.ts';
import type { CommandContext } from '../../with-capstan.ts';

const MAX_SHOWN = 50;

/** `policy backtest`. Changed decisions are not a failure: the exit code is 0. */
export async function backtestRules(context: CommandContext): Promise<number> {
  const { capstan, args, io } = context;
  const since = sinceOf(args.options['since'], new Date());
  const result = await capstan.policy.backtest({ ...policyOptions(context), since });
  if (args.options['json'] === true) printJson(io, documentOf(result));
  else io.stdout(asText(result));
  return exitCodes.completed;
}

/** Undefined means all intents. */
function sinceOf(given: unknown, now: Date): Date | undefined {
  if (given === undefined) return undefined;
  const text = String(given);
  const since = momentOf(text, now, 'past');
  if (since) return since;
  const problem = `--since is "${escapeText(text)}". Write 30m, 12h, 7d, 2w or a date such as 2026-05-01.`;
  throw new AppError('USAGE', { problem });
}

const documentOf = ({ decided, skipped, counts, changed, changedInAll }: Backtest) => ({
  decided,
  skipped,
  changed: changedInAll,
  counts: Object.fromEntries(counts),
  changes: changed.map(
    ({ intentId, runId, capsuleId, name, target, proposedAt, before, after }) => ({
      intent_id: intentId,
      run_id: runId,
      capsule_id: capsuleId,
      name,
      target,
      proposed_at: proposedAt,
      before,
      after,
    }),
  ),
});

function asText({ decided, skipped, counts, changed, changedInAll }: Backtest): string {
  const shown = changed.slice(0, MAX_SHOWN);
  const rows = shown.map(({ runId, capsuleId, name, target, before, after }) => [
    escapeText(shortId(runId)),
    escapeText(capsuleId),
    escapeText(name),
    shorten(target, 40),
    wordsOf(before),
    wordsOf(after),
  ]);
  const table =
    rows.length > 0
      ? formatTable([['run', 'capsule', 'operation', 'target', 'was', 'would be'], ...rows])
      : '';
  const more =
    changedInAll > shown.length
      ? `… and ${changedInAll - shown.length} more (--json lists up to 1000)\n`
      : '';
  const kinds = [...counts].map(([kind, many]) => `${kind}: ${many}`).join(' · ');
  const without = skipped > 0 ? ` ${skipped} could not be decided (no facts were kept).` : '';
  const total = `${decided} intents were decided again, ${changedInAll} differently.${without}\n`;
  return `${table}${more}${total}${kinds === '' ? '' : `${kinds}\n`}`;
}

const wordsOf = ({ decision, rule }: ChangedDecision['after']): string =>
  `${decision} (${escapeText(rule)})`;

import type { Backtest, ChangedDecision } from '../../../app/policy/policy-api.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { formatTable } from '../../format.ts';
import { jsonOf } from '../../io/print-json.ts';
import { sinceOption } from '../../options/option-value.ts';
import { policyOptions } from '../../options/standard-options.ts';
import { shortId } from '../../text/short-id.ts';
import { shorten } from '../../text/shorten.ts';
import type { CommandContext, CommandResult } from '../../with-capstan.ts';

const MAX_SHOWN = 50;

/** `policy backtest`. Changed decisions are not a failure: the exit code is 0. */
export async function backtestRules(context: CommandContext): Promise<CommandResult> {
  const since = sinceOption(context.args.options['since']);
  const result = await context.capstan.policy.backtest({ ...policyOptions(context), since });
  return { json: documentOf(result), text: asText(result) };
}

const documentOf = ({ decided, skipped, counts, changed, changedInAll }: Backtest) => ({
  decided,
  skipped,
  changed: changedInAll,
  counts: Object.fromEntries(counts),
  changes: changed.map(jsonOf),
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

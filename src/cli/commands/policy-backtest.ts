import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openConfiguredApis } from '../../app/wiring/open-configured-apis.ts';
import type { Backtest, Verdict } from '../../broker/rules/backtest.ts';
import { AppError } from '../../contract/errors.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import type { CommandArguments, CommandIo } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { formatTable } from '../format.ts';
import { printJson } from '../print-json.ts';
import { shorten } from '../shorten.ts';
import { policyGround } from './policy-ground.ts';

const MAX_SHOWN = 50;

/** What would change is no failure: the exit code is 0. */
export async function backtestRules(args: CommandArguments, io: CommandIo): Promise<number> {
  const sinceIso = sinceOf(args.options['since'], Date.now());
  const { loaded, around } = await policyGround(args, io);
  const { loadPolicy } = await import('../../broker/rules/load-policy.ts');
  const { rules } = await loadPolicy(around);
  const result = await run(join(loaded.settings.places.stateDir, 'capstan.db'), async (db) => {
    const { backtest } = await import('../../broker/rules/backtest.ts');
    const { services } = await openConfiguredApis(loaded.settings);
    const origins = new Map(services.map(({ name, origin }) => [name, origin]));
    return backtest(db, rules, { tools: around.tools, origins, ...(sinceIso ? { sinceIso } : {}) });
  });
  const isJson = args.options['json'] === true;
  if (isJson) printJson(io, documentOf(result));
  else io.stdout(asText(result));
  return exitCodes.completed;
}

type Db = Parameters<typeof import('../../broker/rules/backtest.ts').backtest>[0];

const NOTHING: Backtest = {
  decided: 0,
  skipped: 0,
  counts: new Map(),
  changed: [],
  changedInAll: 0,
};

async function run(path: string, body: (db: Db) => Promise<Backtest>): Promise<Backtest> {
  if (!existsSync(path)) return NOTHING;
  const { openDatabase } = await import('../../db/open-database.ts');
  const db = openDatabase(path);
  try {
    return await body(db);
  } finally {
    db.close();
  }
}

const hours: Readonly<Record<string, number>> = { m: 1 / 60, h: 1, d: 24, w: 168 };

/** A length of time before now, or a date; undefined: all. */
function sinceOf(given: unknown, nowMs: number): string | undefined {
  if (given === undefined) return undefined;
  const text = String(given).trim();
  const [, count, unit] = /^(\d{1,5})([mhdw])$/.exec(text) ?? [];
  if (count !== undefined && unit !== undefined)
    return new Date(nowMs - Number(count) * (hours[unit] ?? 0) * 3_600_000).toISOString();
  const date = /^\d{4}-\d\d-\d\d/.test(text) ? new Date(text) : undefined;
  if (date && !Number.isNaN(date.getTime())) return date.toISOString();
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
    escapeText(runId.slice(0, 8)),
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
  const without = skipped > 0 ? ` ${skipped} could not be (no facts were kept).` : '';
  const total = `${decided} intents were decided again, ${changedInAll} otherwise.${without}\n`;
  return `${table}${more}${total}${kinds === '' ? '' : `${kinds}\n`}`;
}

const wordsOf = ({ decision, rule }: Verdict): string => `${decision} (${escapeText(rule)})`;

import type { Db } from '../../db/open-database.ts';
import { uuidv7 } from '../../db/uuidv7.ts';
import type { SpendFacts } from '../../policy/decide/chat-facts.ts';
import {
  budgetOfCapsule,
  type CapsuleBudget,
  type CapsuleBudgets,
} from '../../policy/limits/capsule-budgets.ts';
import type { LimitRule, SpendLimit } from '../../policy/limits/spend-limits.ts';
import { limitsOf } from '../../policy/limits/spend-limits.ts';
import type { Journal } from '../intent/journal.ts';

/** The budgets of a run: a part of its policy. */
export interface BudgetLimits {
  readonly budget: {
    readonly runMicroUsd: number;
    readonly dayMicroUsd: number;
    readonly runTokens: number | undefined;
  };
  readonly capsuleBudgets: CapsuleBudgets;
}

/** The spender; the intent `id` is not counted. */
export interface Spender {
  readonly id: string;
  readonly runId: string;
  readonly capsuleId: string;
}

/** The current limits, including raises, and how much of them is used. */
export type BudgetUse = Omit<SpendFacts, 'estimateMicroUsd' | 'estimateTokens'>;

export interface BudgetRaise {
  readonly microUsd: number;
  readonly approvalId: string | null;
}

export interface BudgetWarning {
  readonly runId: string;
  readonly rule: string;
  /** Null for a limit of the run or of the day. */
  readonly capsuleId: string | null;
  /** As the event has it: dollars, or tokens. */
  readonly limit: number;
}

export interface NearlySpent {
  readonly rule: LimitRule | 'token_budget';
  /** For people: `this run`. */
  readonly what: string;
  readonly setting: string;
  /** Micro-dollars, or tokens. */
  readonly used: number;
  readonly limit: number;
}

/** The share of a limit at which the person is warned. */
const WARN_AT = 0.8;

export type Budget = ReturnType<typeof createBudget>;

/** Reads the journal; a call counts for the day on which it was started, a reservation for today. */
export function createBudget({ db, journal, now }: BudgetParts) {
  const sums = createSums(db);
  const warned = new Set<string>();
  const earlier = db.prepare<[BudgetWarning]>(`
    SELECT 1 FROM events WHERE run_id = @runId AND event ->> 'type' = 'budget.warned' AND event ->> 'rule' = @rule
      AND event ->> 'capsule_id' IS @capsuleId AND event ->> 'limit' = @limit`);
  const raised = db
    .prepare<[string, string], number>(
      'SELECT coalesce(sum(micro_usd), 0) FROM budget_raises WHERE scope = ? AND subject = ?',
    )
    .pluck();
  const addRaise = db.prepare(`
    INSERT INTO budget_raises (id, scope, subject, micro_usd, approval_id, raised_at)
    VALUES (@id, @scope, @subject, @microUsd, @approvalId, @at)`);
  const inForce = (rule: LimitRule, spender: Spender, base: number) => {
    const { scope, subject } = subjectOf(rule, spender, now());
    return base + (raised.get(scope, subject) ?? 0);
  };
  const read = (spender: Spender, limits: BudgetLimits, amount: Amount): BudgetUse => {
    const { id, runId, capsuleId } = spender;
    const who: Since = { id, runId, capsuleId, since: midnight(now()).toISOString() };
    const { runMicroUsd, dayMicroUsd, runTokens } = limits.budget;
    const own = budgetOfCapsule(limits.capsuleBudgets, capsuleId);
    return {
      runSpentMicroUsd: amount(sums.run.get(who)),
      runBudgetMicroUsd: inForce('run_budget', who, runMicroUsd),
      daySpentMicroUsd: amount(sums.day.get(who)),
      dayBudgetMicroUsd: inForce('day_budget', who, dayMicroUsd),
      runTokens: runTokens === undefined ? 0 : amount(sums.tokens.get(who)),
      runTokenBudget: runTokens,
      ...capsulePart(own, who, amount),
    };
  };
  const capsulePart = ({ runMicroUsd, dayMicroUsd }: CapsuleBudget, who: Since, amount: Amount) => {
    if (runMicroUsd === undefined && dayMicroUsd === undefined) return {};
    const run = runMicroUsd !== undefined && {
      runMicroUsd: inForce('capsule_run_budget', who, runMicroUsd),
    };
    const day = dayMicroUsd !== undefined && {
      dayMicroUsd: inForce('capsule_day_budget', who, dayMicroUsd),
    };
    const runSpentMicroUsd = amount(sums.capsuleRun.get(who));
    const daySpentMicroUsd = amount(sums.capsuleDay.get(who));
    return { capsule: { budget: { ...run, ...day }, runSpentMicroUsd, daySpentMicroUsd } };
  };

  return {
    /** The amounts that other intents have spent or reserved; inside a transaction, of all processes. */
    used(spender: Spender, limits: BudgetLimits): BudgetUse {
      if (!db.inTransaction) journal.flushIntents();
      return read(spender, limits, spentOrReserved);
    },
    /** The limits of which 80 % or more are spent. */
    nearlySpent: (spender: Spender, limits: BudgetLimits): readonly NearlySpent[] =>
      nearlySpent(read({ ...spender, id: '' }, limits, spentOnly)),
    /** Whether the run was warned of this before, by this process or an earlier one; marks it as warned. */
    wasWarned(warning: BudgetWarning): boolean {
      const key = JSON.stringify(warning);
      const isKnown = warned.has(key) || earlier.get(warning) !== undefined;
      warned.add(key);
      return isKnown;
    },
    /** Raises a limit. To be called inside the journal's transaction; returns the id of the row. */
    raise(rule: LimitRule, spender: Spender, { microUsd, approvalId }: BudgetRaise): string {
      const row = { id: uuidv7(), ...subjectOf(rule, spender, now()), microUsd, approvalId };
      addRaise.run({ ...row, at: now().toISOString() });
      return row.id;
    },
  };
}

export interface BudgetParts {
  readonly db: Db;
  readonly journal: Journal;
  readonly now: () => Date;
}

interface Sums {
  readonly cost: number;
  readonly reserved: number;
}
type Amount = (sums: Sums | undefined) => number;
type Since = Spender & { readonly since: string };

const spentOrReserved: Amount = (sums) => (sums ? sums.cost + sums.reserved : 0);
const spentOnly: Amount = (sums) => sums?.cost ?? 0;

function createSums(db: Db) {
  const MONEY = '(cost_micro_usd > 0 OR reserved_micro_usd > 0)';
  const SUM =
    'coalesce(sum(cost_micro_usd), 0) AS cost, coalesce(sum(reserved_micro_usd), 0) AS reserved';
  const OWN = 'AND capsule_id = @capsuleId';
  const prepare = (sql: string) => db.prepare<[Since], Sums>(sql);
  const ofRun = (of = '') =>
    prepare(`SELECT ${SUM} FROM intents WHERE run_id = @runId AND id <> @id ${of} AND ${MONEY}`);
  const ofDay = (of = '') =>
    prepare(`SELECT ${SUM} FROM (
      SELECT cost_micro_usd, reserved_micro_usd FROM intents
      WHERE started_at >= @since AND id <> @id ${of} AND ${MONEY}
      UNION ALL
      SELECT cost_micro_usd, reserved_micro_usd FROM intents
      WHERE started_at IS NULL AND id <> @id ${of} AND ${MONEY})`);
  return {
    run: ofRun(),
    capsuleRun: ofRun(OWN),
    day: ofDay(),
    capsuleDay: ofDay(OWN),
    tokens: prepare(`
      SELECT coalesce(sum(input_tokens + output_tokens), 0) AS cost,
        coalesce(sum(reserved_tokens), 0) AS reserved
      FROM intents WHERE run_id = @runId AND id <> @id AND kind <> 'tool'`),
  };
}

/** The subject of a raise. */
function subjectOf(rule: LimitRule, { runId, capsuleId }: Spender, now: Date) {
  const day = dayOf(now);
  switch (rule) {
    case 'run_budget':
      return { scope: 'run', subject: runId };
    case 'day_budget':
      return { scope: 'day', subject: day };
    case 'capsule_run_budget':
      return { scope: 'capsule', subject: `${runId}/${capsuleId}` };
    case 'capsule_day_budget':
      return { scope: 'capsule', subject: `${day}/${capsuleId}` };
  }
}

function nearlySpent(use: BudgetUse): readonly NearlySpent[] {
  const { runTokens, runTokenBudget } = use;
  const money = limitsOf({ ...use, estimateMicroUsd: 0 }).map(
    ({ rule, what, setting, spent, budget }: SpendLimit): NearlySpent => ({
      rule,
      what,
      setting,
      used: spent,
      limit: budget,
    }),
  );
  const tokens: NearlySpent = {
    rule: 'token_budget',
    what: 'this run',
    setting: 'CAPSTAN_BUDGET_RUN_TOKENS',
    used: runTokens,
    limit: runTokenBudget ?? 0,
  };
  return [...money, tokens].filter(
    ({ used, limit }) => used > 0 && used >= limit * WARN_AT && limit > 0,
  );
}

const midnight = (time: Date): Date =>
  new Date(time.getFullYear(), time.getMonth(), time.getDate());

/** `2026-11-21`, in local time. */
export const dayOf = (time: Date): string =>
  [time.getFullYear(), time.getMonth() + 1, time.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');

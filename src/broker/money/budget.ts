import type { IntentRecord } from '../../contract/intent.ts';
import type { Db } from '../../db/open-database.ts';
import { uuidv7 } from '../../db/uuidv7.ts';
import type { SpendFacts } from '../../policy/decide/chat-facts.ts';
import { budgetOfCapsule, type CapsuleBudget } from '../../policy/limits/capsule-budgets.ts';
import { type LimitRule, limitsOf, type SpendLimit } from '../../policy/limits/spend-limits.ts';
import type { Journal } from '../intent/journal.ts';
import type { Policy } from '../rules/policy-snapshot.ts';

/** The budgets of a run: a part of its policy. */
export type BudgetLimits = Pick<Policy, 'budget' | 'capsuleBudgets'>;

/** The spender; the intent `id` is not counted. */
type Spender = Pick<IntentRecord, 'id' | 'runId' | 'capsuleId'>;

/** The current limits, including raises, and how much of them is used. */
export type BudgetUse = Omit<SpendFacts, 'estimateMicroUsd' | 'estimateTokens'>;

/** Identifies a warning; `limit` is in dollars, or tokens, as the event has it. */
export interface BudgetWarning {
  readonly runId: string;
  readonly rule: string;
  /** Null for a limit of the run or of the day. */
  readonly capsuleId: string | null;
  readonly limit: number;
}

/** A limit of money, or the run's limit of tokens. */
export type NearlySpent = Omit<SpendLimit, 'rule'> & { readonly rule: LimitRule | 'token_budget' };

const WARN_AT = 0.8;

export type Budget = ReturnType<typeof createBudget>;

/** Reads the journal; a call counts for the day on which it was started, a reservation for today. */
export function createBudget(db: Db, journal: Journal, now: () => Date) {
  const sums = createSums(db);
  const version = db.prepare<[], number>('PRAGMA data_version').pluck();
  const warned = new Set<string>();
  const earlier = db.prepare<[BudgetWarning]>(`
    SELECT 1 FROM events WHERE run_id = @runId AND event ->> 'type' = 'budget.warned' AND event ->> 'rule' = @rule
      AND event ->> 'capsule_id' IS @capsuleId AND event ->> 'limit' = @limit`);
  const raised = raisesIn(db);
  const addRaise = db.prepare(`
    INSERT INTO budget_raises (id, scope, subject, micro_usd, approval_id, raised_at)
    VALUES (@id, @scope, @subject, @microUsd, @approvalId, @at)`);
  const inForce = (rule: LimitRule, spender: Spender, base: number) =>
    base + (raised.get(subjectOf(rule, spender, now())) ?? 0);
  const read = (spender: Spender, limits: BudgetLimits, reserved: 0 | 1): BudgetUse => {
    const who: Summed = { ...spender, since: midnight(now()).toISOString(), reserved };
    const { runMicroUsd, dayMicroUsd, runTokens } = limits.budget;
    const own = budgetOfCapsule(limits.capsuleBudgets, spender.capsuleId);
    return {
      runSpentMicroUsd: sums.run(who),
      runBudgetMicroUsd: inForce('run_budget', who, runMicroUsd),
      daySpentMicroUsd: sums.day(who),
      dayBudgetMicroUsd: inForce('day_budget', who, dayMicroUsd),
      runTokens: runTokens === undefined ? 0 : sums.tokens(who),
      runTokenBudget: runTokens,
      capsule: ofCapsule(own, who),
    };
  };
  const ofCapsule = ({ runMicroUsd: run, dayMicroUsd: day }: CapsuleBudget, who: Summed) => {
    if (run === undefined && day === undefined) return undefined;
    return {
      budget: {
        runMicroUsd: run === undefined ? undefined : inForce('capsule_run_budget', who, run),
        dayMicroUsd: day === undefined ? undefined : inForce('capsule_day_budget', who, day),
      },
      runSpentMicroUsd: sums.capsuleRun(who),
      daySpentMicroUsd: sums.capsuleDay(who),
    };
  };

  return {
    /** Changes with every commit of another process. */
    version: (): number => version.get() ?? 0,
    /** The amounts that other intents have spent or reserved; inside a transaction, of all processes. */
    used(spender: Spender, limits: BudgetLimits): BudgetUse {
      if (!db.inTransaction) journal.flushIntents();
      return read(spender, limits, 1);
    },
    /** The limits of which 80 % or more are spent. */
    nearlySpent(spender: Spender, limits: BudgetLimits): readonly NearlySpent[] {
      const use = read({ ...spender, id: '' }, limits, 0);
      const tokens = {
        rule: 'token_budget',
        what: 'this run',
        setting: 'CAPSTAN_BUDGET_RUN_TOKENS',
        spent: use.runTokens,
        budget: use.runTokenBudget ?? 0,
      } as const;
      return [...limitsOf(use), tokens].filter(
        ({ spent, budget }) => spent > 0 && spent >= budget * WARN_AT && budget > 0,
      );
    },
    /** Whether the run was warned of this before, by this process or an earlier one; marks it as warned. */
    wasWarned(warning: BudgetWarning): boolean {
      const key = JSON.stringify(warning);
      const isKnown = warned.has(key) || earlier.get(warning) !== undefined;
      warned.add(key);
      return isKnown;
    },
    /** Raises a limit. To be called inside the journal's transaction; returns the id of the row. */
    raise(rule: LimitRule, spender: Spender, microUsd: number, approvalId: string | null): string {
      const id = uuidv7();
      const subject = subjectOf(rule, spender, now());
      addRaise.run({ id, ...subject, microUsd, approvalId, at: now().toISOString() });
      return id;
    },
  };
}

/** By how much people raised a limit: of `run_budget`, `{ scope: 'run', subject: RUN_ID }`. */
export const raisesIn = (db: Db) =>
  db
    .prepare<[{ readonly scope: string; readonly subject: string }], number>(
      'SELECT coalesce(sum(micro_usd), 0) FROM budget_raises WHERE scope = @scope AND subject = @subject',
    )
    .pluck();

/** `since`: the start of the day. `reserved`: 1 if reservations count, else 0. */
type Summed = Spender & { readonly since: string; readonly reserved: 0 | 1 };

function createSums(db: Db) {
  const OWN = 'AND capsule_id = @capsuleId';
  // Comparing every id, and multiplying every reservation, would take twice as long.
  const money = (where: string) => `(
    SELECT coalesce(sum(cost_micro_usd) + @reserved * sum(reserved_micro_usd), 0) FROM intents
    WHERE ${where} AND (cost_micro_usd > 0 OR reserved_micro_usd > 0)) - coalesce((
    SELECT cost_micro_usd + @reserved * reserved_micro_usd FROM intents WHERE id = @id AND ${where}), 0)`;
  const ofDeleted = (where: string) =>
    `(SELECT coalesce(sum(cost_micro_usd), 0) FROM deleted_calls WHERE ${where})`;
  const prepare = (sum: string) => {
    const statement = db.prepare<[Summed], number>(`SELECT ${sum}`).pluck();
    return (who: Summed) => statement.get(who) ?? 0;
  };
  const ofRun = (own = '') => prepare(money(`run_id = @runId ${own}`));
  const ofDay = (own = '') => {
    const today = `started_at >= @since ${own}`;
    return prepare(`${money(today)} + ${money(`started_at IS NULL ${own}`)} + ${ofDeleted(today)}`);
  };
  return {
    run: ofRun(),
    capsuleRun: ofRun(OWN),
    day: ofDay(),
    capsuleDay: ofDay(OWN),
    tokens: prepare(`
      coalesce(sum(input_tokens + output_tokens + @reserved * reserved_tokens), 0)
      FROM intents WHERE run_id = @runId AND id <> @id AND kind <> 'tool'`),
  };
}

function subjectOf(rule: LimitRule, { runId, capsuleId }: Spender, now: Date) {
  const day = dayOf(now);
  const subjects: Readonly<Record<LimitRule, { scope: string; subject: string }>> = {
    run_budget: { scope: 'run', subject: runId },
    day_budget: { scope: 'day', subject: day },
    capsule_run_budget: { scope: 'capsule', subject: `${runId}/${capsuleId}` },
    capsule_day_budget: { scope: 'capsule', subject: `${day}/${capsuleId}` },
  };
  return subjects[rule];
}

const midnight = (time: Date): Date =>
  new Date(time.getFullYear(), time.getMonth(), time.getDate());

/** `2026-11-21`, in local time. */
export const dayOf = (time: Date): string =>
  [time.getFullYear(), time.getMonth() + 1, time.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');

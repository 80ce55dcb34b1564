import type { Db } from '../../db/open-database.ts';
import { parseJson } from '../../platform/text/parse-json.ts';
import { tryOr } from '../../platform/try-or.ts';
import { decideApiCall } from '../../policy/decide/decide-api-call.ts';
import { decideToolCall } from '../../policy/decide/decide-tool-call.ts';
import type { Decision } from '../../policy/decide/decision.ts';
import type { ToolCallFacts } from '../../policy/decide/tool-call-facts.ts';
import { fromStoredChatFacts, fromStoredFacts } from '../../policy/limits/stored-facts.ts';
import type { Toolbox } from './check-examples.ts';
import { policyOf } from './policy-snapshot.ts';

type Rules = ToolCallFacts['rules'];

interface Verdict {
  readonly decision: Decision['kind'];
  readonly step: number;
  readonly rule: string;
}

interface Row {
  readonly intentId: string;
  readonly runId: string;
  readonly capsuleId: string;
  readonly kind: string;
  /** `file_io.write`, `chat`. */
  readonly name: string;
  readonly target: string;
  readonly proposedAt: string;
  readonly request: string;
  readonly facts: string | null;
  readonly policy: string;
}

/** One journaled intent with another decision. */
export interface ChangedDecision extends Omit<Row, 'kind' | 'request' | 'facts' | 'policy'> {
  readonly before: Verdict;
  readonly after: Verdict;
}

export interface Backtest {
  /** Number of intents that were decided again. */
  readonly decided: number;
  /** Number of intents that can't be decided again: their facts are not stored, or their call is no longer valid. */
  readonly skipped: number;
  /** By `allow → deny`. */
  readonly counts: ReadonlyMap<string, number>;
  /** Newest first, at most `most`. */
  readonly changed: readonly ChangedDecision[];
  readonly changedInAll: number;
}

interface BacktestOptions {
  readonly tools: Toolbox;
  /** The origin of each configured service, by name. */
  readonly origins: ReadonlyMap<string, string>;
  /** Intents proposed earlier are skipped. */
  readonly sinceIso?: string;
  /** Changed decisions that are listed; default 1,000. */
  readonly most?: number;
}

/**
 * Decides every journaled intent again on its stored facts, by the rules that its run started with and by the given ones. Reads row
 * by row and writes nothing.
 */
export async function backtest(db: Db, rules: Rules, options: BacktestOptions): Promise<Backtest> {
  const { sinceIso = '', most = 1_000 } = options;
  const rows = db
    .prepare<[string], Row>(
      `SELECT i.id AS intentId, i.run_id AS runId, i.capsule_id AS capsuleId, i.kind, i.name, i.target, i.request,
        i.facts, r.policy, i.proposed_at AS proposedAt
      FROM intents i JOIN runs r ON r.id = i.run_id WHERE i.proposed_at >= ? ORDER BY i.proposed_at DESC, i.id DESC`,
    )
    .iterate(sinceIso);
  const rulesOf = rulesReader();
  const counts = new Map<string, number>();
  const changed: ChangedDecision[] = [];
  let [decided, skipped, changedInAll] = [0, 0, 0];
  for (const row of rows) {
    const again = decideAgain(row, options);
    const before = again?.(await rulesOf(row.policy));
    const after = again?.(rules);
    if (!before || !after) {
      skipped += 1;
      continue;
    }
    decided += 1;
    if (before.kind === after.kind) continue;
    changedInAll += 1;
    const key = `${before.kind} → ${after.kind}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
    const { kind: _1, request: _2, facts: _3, policy: _4, ...about } = row;
    if (changed.length < most)
      changed.push({ ...about, before: verdictOf(before), after: verdictOf(after) });
  }
  return { decided, skipped, counts, changed, changedInAll };
}

/** Decides one intent by any rules; undefined if that is impossible. */
function decideAgain(
  row: Row,
  { tools, origins }: BacktestOptions,
): ((rules: Rules) => Decision | undefined) | undefined {
  const { kind, facts } = row;
  if (facts === null) return undefined;
  const stored = parseJson(facts);
  if (kind === 'chat') {
    return (rules) => {
      const known = fromStoredChatFacts(stored, rules);
      return known && decideApiCall(known);
    };
  }
  const { tool, args } = callOf(row, origins);
  const operation = tryOr(() => tools.get(tool)?.prepare(args).operation, undefined);
  if (!operation) return undefined;
  return (rules) => {
    const known = fromStoredFacts(stored, rules);
    return known && decideToolCall(operation, known);
  };
}

/** A request to a service is a call of `http_api`, at the current address of the service. */
function callOf({ kind, request }: Row, origins: BacktestOptions['origins']) {
  const stored = (parseJson(request) ?? {}) as Readonly<Record<string, unknown>>;
  const { tool, args, service, method, path, headers = {}, body } = stored;
  if (kind !== 'http') return { tool: String(tool), args };
  const url = `${origins.get(String(service))}${path}`;
  const rest = body === undefined ? {} : { body };
  return { tool: 'http_api', args: args ?? { service, method, url, headers, ...rest } };
}

/** The rules of each policy that runs started with, read once; empty if a run has none. */
function rulesReader(): (policy: string) => Promise<Rules> {
  const known = new Map<string, Promise<Rules>>();
  const read = (policy: string) =>
    policyOf(parseJson(policy)).then(
      (built) => built.policy.rules,
      () => [],
    );
  return (policy) => {
    const rules = known.get(policy) ?? read(policy);
    known.set(policy, rules);
    return rules;
  };
}

const verdictOf = ({ kind, step, rule }: Decision): Verdict => ({ decision: kind, step, rule });

import type { Db } from '../../db/open-database.ts';
import { ESTIMATED_MICRO_USD, ESTIMATED_TOKENS } from '../intent/record.ts';

export const costGroups = ['run', 'subtask', 'capsule', 'model', 'tool', 'day'] as const;
export type CostGroup = (typeof costGroups)[number];

export interface CostRow {
  /** The name of the group: an id, a model, a tool, a day. */
  readonly name: string;
  /** The run's task, or the subtask's description; null elsewhere. */
  readonly about: string | null;
  readonly modelCalls: number;
  readonly toolCalls: number;
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  readonly costMicroUsd: number;
  /** The part of the cost that no vendor reported. */
  readonly estimatedMicroUsd: number;
  readonly reservedMicroUsd: number;
}

interface CostQuery {
  readonly by: CostGroup;
  readonly runId?: string | undefined;
  /** Calls that started at this time or later; undefined: all. */
  readonly since?: Date | undefined;
}

/** The calls of all runs; those of deleted runs have no run, and only the columns of `deleted_calls`. */
const ALL_CALLS = `(
  SELECT run_id, subtask_id, name, kind, capsule_id, target, started_at, input_tokens, cached_input_tokens,
    output_tokens, cost_micro_usd, reserved_micro_usd, iif(kind = 'chat', outcome, NULL) AS outcome FROM intents
  UNION ALL
  SELECT NULL, NULL, NULL, kind, capsule_id, target, started_at, input_tokens, cached_input_tokens,
    output_tokens, cost_micro_usd, 0, outcome FROM deleted_calls)`;

/** A model call. Answers of the offline rules do not count. */
const MODEL_CALL = "(i.kind = 'chat' AND i.target NOT LIKE 'offline/%')";

/** Name and words of each group, by the columns of an intent `i`, and the intents that it contains. Default: all. */
const groups: Readonly<Record<CostGroup, { name: string; about?: string; only?: string }>> = {
  run: { name: 'i.run_id', about: '(SELECT r.task FROM runs r WHERE r.id = i.run_id)' },
  subtask: {
    name: "i.run_id || ' ' || iif(i.subtask_id = '', 'coordinator', i.subtask_id)",
    about:
      '(SELECT s.description FROM subtasks s WHERE s.run_id = i.run_id AND s.id = i.subtask_id)',
  },
  capsule: { name: 'i.capsule_id' },
  model: { name: 'i.target', only: MODEL_CALL },
  tool: { name: 'i.name', only: "i.kind <> 'chat'" },
  day: { name: "date(i.started_at, 'localtime')" },
};

/** The costs, highest first, or days in order. Only calls that were started count. */
export function readCosts(db: Db, { by, runId, since }: CostQuery): readonly CostRow[] {
  const { name, about = 'NULL', only = 'TRUE' } = groups[by];
  const order = by === 'day' ? '1' : 'costMicroUsd DESC, modelCalls DESC, 1';
  return db
    .prepare<[{ runId: string | null; since: string | null }], CostRow>(
      `SELECT coalesce(${name}, 'deleted runs') AS name, ${about} AS about,
        sum(${MODEL_CALL}) AS modelCalls, sum(i.kind <> 'chat') AS toolCalls,
        sum(i.input_tokens) AS inputTokens, sum(i.cached_input_tokens) AS cachedInputTokens,
        sum(i.output_tokens) - ${ESTIMATED_TOKENS} AS outputTokens, sum(i.cost_micro_usd) AS costMicroUsd,
        ${ESTIMATED_MICRO_USD} AS estimatedMicroUsd,
        sum(i.reserved_micro_usd) AS reservedMicroUsd
      FROM ${ALL_CALLS} i
      WHERE i.started_at IS NOT NULL AND ${only}
        AND (@runId IS NULL OR i.run_id = @runId) AND (@since IS NULL OR i.started_at >= @since)
      GROUP BY 1 ORDER BY ${order}`,
    )
    .all({ runId: runId ?? null, since: since?.toISOString() ?? null });
}

import type { RunDocument } from '../../../app/runs/show/run-document.ts';
import { type RunModel, type ShownStep, THINK } from './run-model.ts';

type Row = RunDocument['subtasks'][number];

/** Adds the stored steps that its events do not contain, because they are from before it was resumed. */
export function seedRun(
  model: RunModel,
  { subtasks, cost_usd }: Pick<RunDocument, 'subtasks' | 'cost_usd'>,
): RunModel {
  const known = new Map(model.steps.map((step) => [step.id, step]));
  const numbers = new Map(subtasks.map(({ id }, index) => [id, index + 1]));
  const steps = subtasks.map(
    (row, index): ShownStep => ({
      ...(known.get(row.id) ?? stepOf(row, model.lastMs)),
      number: index + 1,
      after: row.depends_on.flatMap((need) => numbers.get(need) ?? []),
    }),
  );
  const others = model.steps.filter(({ id }) => !numbers.has(id));
  return { ...model, steps: [...steps, ...others], costUsd: Math.max(model.costUsd, cost_usd) };
}

const stepOf = (
  { id, description, status, capsule_id }: Row,
  nowMs: number,
): Omit<ShownStep, 'number' | 'after'> => ({
  id,
  description,
  state: states[status] ?? 'ended',
  status,
  capsule: capsule_id ?? undefined,
  verb: THINK,
  startedMs: status === 'running' ? nowMs : undefined,
  tokens: 0,
  costUsd: 0,
});

const states: Readonly<Record<string, ShownStep['state']>> = {
  pending: 'waiting',
  running: 'working',
  waiting_approval: 'asking',
};

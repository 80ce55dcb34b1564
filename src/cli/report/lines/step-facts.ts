import type { RunDocument } from '../../../app/runs/show/run-document.ts';
import type { CapstanEvent, EventOf } from '../../../contract/event.ts';
import { printable } from '../../../contract/text/printable.ts';

/** A step as the lines of a run need it. */
export interface StepFacts {
  /** Its number in the order of the plans, from 1: `2`. */
  readonly number: string;
  /** The first line of its text, escaped; empty if it is not known. */
  readonly description: string;
  readonly costUsd: number;
}

export type KnownStep = Pick<RunDocument['subtasks'][number], 'id' | 'description'>;

/** Collects numbers, texts and costs of steps from the events of a run. @param known Those of a resumed run, in the order of its plans. */
export function createStepTracker(known: readonly KnownStep[], now: () => number) {
  const descriptions = new Map<string, string>();
  const costs = new Map<string, number>();
  const started = new Map<string, number>();
  const waiting = new Map<string, string>();
  const add = ({ id, description }: KnownStep) =>
    descriptions.set(id, printable(description.split('\n')[0] ?? ''));
  for (const step of known) add(step);
  const notes: { [Type in CapstanEvent['type']]?: (event: EventOf<Type>) => void } = {
    'plan.made': ({ subtasks }) => subtasks.forEach(add),
    'subtask.started': ({ subtask_id }) => started.set(subtask_id, now()),
    'subtask.ended': ({ subtask_id }) => started.delete(subtask_id),
    'run.ended': () => started.clear(),
    'approval.asked': ({ approval_id, subtask_id }) => waiting.set(approval_id, subtask_id),
    'approval.decided': ({ approval_id }) => waiting.delete(approval_id),
    'model.answered': ({ subtask_id: id, cost_usd }) =>
      costs.set(id, (costs.get(id) ?? 0) + cost_usd),
  };
  return {
    take(event: CapstanEvent): void {
      const note = notes[event.type] as ((event: CapstanEvent) => void) | undefined;
      note?.(event);
    },
    of(id: string): StepFacts {
      if (id !== '' && !descriptions.has(id)) descriptions.set(id, '');
      const index = [...descriptions.keys()].indexOf(id);
      return {
        number: index < 0 ? '' : String(index + 1),
        description: descriptions.get(id) ?? '',
        costUsd: costs.get(id) ?? 0,
      };
    },
    /** Steps that work now, without those that wait for a person, with the time of their start in milliseconds. */
    working(): ReadonlyMap<string, number> {
      const asking = new Set(waiting.values());
      return new Map([...started].filter(([id]) => !asking.has(id)));
    },
  };
}

import { usage } from '../../../../contract/usage.ts';
import type { Submitted } from '../../input/input-line.ts';

/** Maximum number of tasks that wait. */
const MAX_TASKS = 50;

/** Tasks that wait until a run has ended, in the order in which they were typed. */
export function createTaskQueue() {
  const tasks: Submitted[] = [];
  return {
    all: (): readonly Submitted[] => tasks,
    /** @throws AppError `USAGE` if too many wait. */
    add(task: Submitted): void {
      if (tasks.length >= MAX_TASKS)
        throw usage(`${MAX_TASKS} tasks wait already. Let them end first.`);
      tasks.push(task);
    },
    addFirst: (first: readonly Submitted[]): void => void tasks.unshift(...first),
    shift: () => tasks.shift(),
    /** Removes the newest tasks. */
    remove: (count: number): readonly Submitted[] =>
      tasks.splice(Math.max(0, tasks.length - count)),
  };
}

import type { Clause } from './clauses.ts';
import { type Draft } from './draft.ts';
import { type TaskText } from './task-text.ts';

interface Drafting {
  readonly task: TaskText;
  readonly drafts: Draft[];
}
/** Adds the drafts of a clause whose verb is `save`, `write`, `create`, … */
export declare function draftOutput(
  { task, drafts }: Drafting,
  clause: Clause,
  context: Clause[],
): void;

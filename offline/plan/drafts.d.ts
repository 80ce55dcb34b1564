import type { Clause } from './clauses.ts';
import { type Draft } from './draft.ts';
import { type TaskText } from './task-text.ts';
/** Turns clauses into drafts of steps; each clause ends up in one of them at least. */
export declare function draftSteps(task: TaskText, clauses: readonly Clause[]): readonly Draft[];

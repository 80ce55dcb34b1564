import type { Draft } from './draft.ts';
/** Fills in what each draft needs from earlier ones, and the files that it leaves unnamed. */
export declare function linkDrafts(drafts: readonly Draft[]): void;

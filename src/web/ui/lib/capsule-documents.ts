import type * as capsule from '../../../contract/documents/capsule-documents.ts';
import type { DocumentOf } from '../../../contract/documents/document-of.ts';

/** The documents of capsules in the API (`/api/v1/capsules`). */

/** GET /capsules: `{ capsules }` */
export type CapsuleRow = DocumentOf<typeof capsule.CapsuleRow>;
/** GET /capsules/ID */
export type CapsulePage = DocumentOf<typeof capsule.CapsulePage>;
/** POST /capsules/ID/prompt: the prompt with an unsaved draft */
export type PromptPreview = DocumentOf<typeof capsule.PromptPreview>;
/** POST /capsules/ID/cases: results of a draft and of the saved overlay */
export type CaseResults = DocumentOf<typeof capsule.CaseResults>;
export type CaseResult = DocumentOf<typeof capsule.CaseResult>;
/** POST /capsules/ID/compare: its last tasks with a draft and with the saved overlay */
export type RepeatedTasks = DocumentOf<typeof capsule.RepeatedTasks>;
/** GET /capsules/ID/memory: `{ items }` */
export type MemoryItem = DocumentOf<typeof capsule.MemoryItem>;

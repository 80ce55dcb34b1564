import type * as capsule from '../../../contract/documents/capsule-documents.ts';
import type { DocumentOf } from '../../../contract/documents/document-of.ts';

/** The documents of capsules as the page reads them (`/api/v1/capsules`). */

/** GET /capsules: `{ capsules }` */
export type CapsuleRow = DocumentOf<typeof capsule.CapsuleRow>;
/** GET /capsules/ID */
export type CapsulePage = DocumentOf<typeof capsule.CapsulePage>;
/** POST /capsules/ID/prompt: of a draft, not saved */
export type PromptPreview = DocumentOf<typeof capsule.PromptPreview>;
/** POST /capsules/ID/cases: of a draft beside what is saved */
export type CaseResults = DocumentOf<typeof capsule.CaseResults>;
export type CaseResult = DocumentOf<typeof capsule.CaseResult>;
/** POST /capsules/ID/compare: its last tasks with a draft beside what is saved */
export type RepeatedTasks = DocumentOf<typeof capsule.RepeatedTasks>;
/** GET /capsules/ID/memory: `{ items }` */
export type MemoryItem = DocumentOf<typeof capsule.MemoryItem>;

import type { DocumentOf, InputOf } from '../../../contract/documents/document-of.ts';
import type * as question from '../../../contract/documents/question-documents.ts';
import type * as run from '../../../contract/documents/run-documents.ts';
import type * as state from '../../../contract/documents/state-documents.ts';

/** The documents of the API (`/api/v1`). */

/** GET /overview, and the stream's message `overview`. */
export type Overview = DocumentOf<typeof state.Overview>;
/** GET /runs; `next` is the cursor of the following page. */
export type RunList = DocumentOf<typeof run.RunList>;
export type RunRow = DocumentOf<typeof run.RunRow>;
/** GET /approvals: `{ approvals }`; GET /approvals/ID. */
export type Question = DocumentOf<typeof question.Question>;
export type EditableStep = DocumentOf<typeof question.EditableStep>;
/** GET /approvals/ID/history */
export type QuestionHistory = DocumentOf<typeof question.QuestionHistory>;
/** POST /approvals/ID/answer */
export type AnswerBody = InputOf<typeof question.AnswerBody>;
/** GET /runs/ID */
export type RunPage = DocumentOf<typeof run.RunPage>;
export type Step = DocumentOf<typeof run.Step>;
export type RequestRow = DocumentOf<typeof run.RequestRow>;
/** GET /runs/ID/requests/INTENT */
export type RequestDetails = DocumentOf<typeof run.RequestDetails>;
/** POST /runs/ID/replay */
export type Replay = DocumentOf<typeof run.Replay>;
export type ReplayDifference = DocumentOf<typeof run.ReplayDifference>;
/** GET /runs/ID/changes */
export type Changes = DocumentOf<typeof run.Changes>;
/** GET /costs */
export type Costs = DocumentOf<typeof state.Costs>;
export type CostLine = DocumentOf<typeof state.CostLine>;
/** GET /health */
export type Health = DocumentOf<typeof state.Health>;

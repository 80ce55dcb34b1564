import type { ModelHint } from '../../contract/chat.ts';
import type { PlanPreview } from '../../contract/plan-preview.ts';
import type { Attachment, Conversation } from '../../contract/protocol.ts';

/** What the person requested besides the task. A resumed run continues with it. */
export interface RunRequestRecord {
  readonly namedCapsule: string | null;
  /** In lower case. */
  readonly namedHosts: readonly string[];
  /** The earlier turns of the session, from the first plan on. Left out if none. */
  readonly conversation?: Conversation;
  /** The kind of model for every step. Left out: what its task kind names. */
  readonly hint?: ModelHint;
  /** Texts that came with the task, without secrets. Left out if none. */
  readonly attachments?: readonly Attachment[];
  /** What hooks added to the task. Left out if nothing. */
  readonly notes?: readonly RunNote[];
  /** The plan waits for a person before its steps start. Default: no. */
  readonly planFirst?: true;
  /** Only the plan is made. Default: no. */
  readonly dryRun?: true;
  /** The plan that a dry run made. */
  readonly preview?: PlanPreview;
  /** Attempts whose id sorts before this one were made before the failed run was resumed. */
  readonly retriedAfter?: string;
}

export interface RunNote {
  /** The plan that it was added for; null: for the whole run. */
  readonly phase: 'discovery' | 'execution' | null;
  /** The hook. */
  readonly by: string;
  readonly text: string;
}

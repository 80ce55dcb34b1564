import type { PlanPreview } from '../../contract/plan-preview.ts';
import type { ModelHint } from '../../contract/wire/chat.ts';
import type { Attachment, Conversation } from '../../contract/wire/protocol.ts';

/** The options of the task, which a resumed run continues with. */
export interface RunRequestRecord {
  readonly namedCapsule: string | null;
  /** In lower case. */
  readonly namedHosts: readonly string[];
  /** The earlier turns of the session, from the first plan on. Left out if none. */
  readonly conversation?: Conversation;
  /** The hint for every step. Default: that of its task kind. */
  readonly hint?: ModelHint;
  /** Attachments of the task, without secrets. Omitted if there are none. */
  readonly attachments?: readonly Attachment[];
  /** Notes that hooks added to the task. Omitted if there are none. */
  readonly notes?: readonly RunNote[];
  /** Whether a person must approve the plan before its steps start. Default: false. */
  readonly planFirst?: true;
  /** Whether only the plan is made. Default: false. */
  readonly dryRun?: true;
  /** Whether it checks models or tries a capsule: it is no task of a conversation. Default: false. */
  readonly isCheck?: true;
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

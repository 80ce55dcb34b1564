/** The lines of the audit about the rows of one table, and the columns that they protect. */
export interface Cover {
  /** Prefix of the actions of its lines (`intent.`), or their one action (`capsule.agreed`). */
  readonly action: string;
  readonly table: string;
  /** Columns that identify a row: the first is the line's `ref`, a second one is in its detail. */
  readonly key: readonly [string, string?];
  /** Every change of one of these has a line, with the hash of all of them as `row`. */
  readonly columns: readonly string[];
  readonly label: string;
}

/** All columns of an intent except `seq`, its position in the run. */
export const intentColumns =
  words(`id run_id attempt_id subtask_id capsule_id wire_id kind name target tier repeatability request
  request_hash asked_hash reason status step rule denial outcome facts effects reserved_micro_usd
  reserved_tokens cost_micro_usd input_tokens cached_input_tokens output_tokens proposed_at started_at
  ended_at`);

/**
 * Everything that the audit protects. Not covered: the leases of runs, requests to cancel them, subtasks and attempts, events,
 * breakers, hashes of files, and metrics of capsules.
 */
export const covers: readonly Cover[] = [
  {
    action: 'intent.',
    table: 'intents',
    key: ['id'],
    columns: intentColumns,
    label: 'intent',
  },
  {
    action: 'approval.',
    table: 'approvals',
    key: ['id'],
    columns:
      words(`run_id intent_id subtask_id capsule_id kind question why details capsule_reason operation target
      tier cost_micro_usd request_hash workspace capsule_hash binding policy_version is_forced choices status answer
      answered_by note created_at expires_at answered_at consumed_at plan edited_steps free_text`),
    label: 'question',
  },
  {
    action: 'run.',
    table: 'runs',
    key: ['id'],
    columns:
      words(`session_id task workspace provider isolation options status reason answer error seed policy
      policy_version wish forked_from forked_at created_at ended_at`),
    label: 'run',
  },
  {
    action: 'answer.',
    table: 'remembered_answers',
    key: ['id'],
    columns:
      words(`answer run_id capsule_id capsule_hash workspace operation pattern most_uses uses expires_at
      created_at created_by revoked_at`),
    label: 'remembered answer',
  },
  {
    action: 'trust.',
    table: 'trust',
    key: ['capsule_id', 'tier'],
    columns: words('level approved denied failures_in_a_row changed_at'),
    label: 'trust of',
  },
  {
    action: 'capsule.agreed',
    table: 'agreed_capsules',
    key: ['capsule_id', 'dir'],
    columns: words('hash agreed_at agreed_by'),
    label: 'agreement to',
  },
  {
    action: 'budget.',
    table: 'budget_raises',
    key: ['id'],
    columns: words('scope subject micro_usd approval_id raised_at'),
    label: 'raise',
  },
  {
    action: 'message.',
    table: 'messages',
    key: ['id'],
    columns: words('id run_id seq text sent_by created_at taken_at'),
    label: 'message',
  },
];

function words(text: string): readonly string[] {
  return text.split(/\s+/);
}

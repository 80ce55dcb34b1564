/** The documents of the API as the page reads them (`/api/v1`). */

/** GET /overview, and the stream's message `overview`. */
export interface Overview {
  /** Open questions. */
  readonly waiting: number;
  readonly live_runs: number;
  readonly spent_today_usd: number;
  readonly day_budget_usd: number;
  /** 24 amounts in dollars, by local hour. */
  readonly spent_by_hour_usd: readonly number[];
  readonly isolation: { readonly level: string; readonly reason: string };
  readonly breakers: readonly {
    readonly provider: string;
    readonly model: string;
    readonly failures: number;
    readonly retry_at: string | null;
  }[];
  readonly quarantined: readonly { readonly capsule_id: string; readonly reason: string }[];
  /** What a run would use without any choice. */
  readonly provider: string;
  readonly model: string | null;
  /** Folders of recent runs, newest first; the first is proposed. */
  readonly workspaces: readonly string[];
  readonly capsules: readonly { readonly id: string; readonly name: string }[];
}

/** GET /runs: `{ runs, next }`; `next` is the cursor of the following page. */
export interface RunList {
  readonly runs: readonly RunRow[];
  readonly next: string | null;
}

export interface RunRow {
  readonly id: string;
  readonly session_id: string;
  readonly status: string;
  readonly reason: string | null;
  readonly task: string;
  readonly workspace: string;
  readonly provider: string;
  readonly created_at: string;
  readonly ended_at: string | null;
  readonly cost_usd: number;
  readonly open_questions: number;
  readonly steps_done: number;
  readonly steps: number;
  readonly capsules: readonly string[];
  /** What it does now, or how it ended, in one line. */
  readonly line: string;
}

/** GET /approvals: `{ approvals }`; GET /approvals/ID: one of them with `history`. */
export interface Question {
  readonly id: string;
  readonly kind: string;
  readonly status: string;
  readonly question: string;
  readonly why: string;
  /** The whole request. */
  readonly details: string;
  /** Changes of files, if it is about some. */
  readonly files: readonly { readonly path: string; readonly diff: string | null }[];
  readonly capsule_reason: string;
  readonly operation: string;
  readonly target: string;
  readonly tier: number;
  readonly cost_usd: number | null;
  readonly run_id: string;
  readonly task: string;
  readonly subtask_id: string;
  readonly capsule_id: string;
  readonly workspace: string;
  readonly binding: string;
  readonly is_forced: boolean;
  readonly choices: readonly string[];
  readonly free_text: boolean;
  /** Of kind `plan`: its steps, as an approving answer takes them. */
  readonly editable_steps: readonly EditableStep[] | null;
  readonly answer: string | null;
  readonly answered_by: string | null;
  readonly asked_at: string;
  readonly expires_at: string | null;
  readonly answered_at: string | null;
  /** What a remembered answer may say; null if none is allowed. */
  readonly always: {
    /** Null: exactly this request. */
    readonly pattern: string | null;
    readonly scopes: readonly ('run' | 'capsule')[];
    readonly until: string;
  } | null;
}

/** A step of a plan. What the page does not edit goes back as it came. */
export interface EditableStep {
  readonly id: string;
  readonly description: string;
  readonly depends_on: readonly string[];
  readonly capsule?: string;
}

export interface QuestionHistory {
  /** Earlier answers to requests of this capsule with the same operation, oldest first. */
  readonly answers: readonly { readonly at: string; readonly is_allowed: boolean }[];
  readonly trust: string;
}

/** POST /approvals/ID/answer */
export interface AnswerBody {
  readonly answer: string;
  readonly binding: string;
  readonly note?: string;
  /** Of a plan, in place of its own. */
  readonly steps?: readonly EditableStep[];
  readonly remember?: {
    readonly scope: 'run' | 'capsule';
    /** Left out: exactly this request. */
    readonly pattern?: string;
    readonly expires_at: string | null;
  };
}

/** GET /runs/ID */
export interface RunPage {
  readonly run: RunRow & {
    readonly model: string | null;
    readonly isolation: string;
    readonly isolation_reason: string;
    readonly budget_usd: number | null;
    readonly forked_from: string | null;
  };
  readonly answer: string | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly steps: readonly Step[];
  readonly requests: readonly RequestRow[];
  readonly messages: readonly { readonly at: string; readonly by: string; readonly text: string }[];
  readonly artifacts: readonly {
    readonly path: string;
    readonly bytes: number;
    readonly sha256: string;
    readonly made_by: string;
  }[];
  readonly questions: readonly Question[];
  readonly next: readonly { readonly action: string; readonly id?: string }[];
  readonly session: readonly { readonly id: string; readonly task: string }[];
}

export interface Step {
  readonly id: string;
  readonly phase: string;
  readonly description: string;
  readonly depends_on: readonly string[];
  readonly capsule_id: string | null;
  readonly status: string;
  readonly reason: string | null;
  readonly attempts: number;
  /** What it says it did; null if it has not ended. */
  readonly result: string | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly started_at: string | null;
  readonly ended_at: string | null;
  readonly cost_usd: number;
  readonly score: number | null;
}

export interface RequestRow {
  readonly intent_id: string;
  /** 1, 2, 3, … A fork can start there. */
  readonly number: number;
  readonly subtask_id: string;
  readonly capsule_id: string;
  readonly kind: 'tool' | 'chat' | 'http' | string;
  readonly name: string;
  readonly target: string;
  readonly status: string;
  readonly tier: number;
  readonly decision: string | null;
  readonly rule: string | null;
  readonly reason: string | null;
  readonly approved_by: string | null;
  readonly cost_usd: number;
  readonly proposed_at: string;
  /** When a person was asked and answered, if one was. */
  readonly asked_at: string | null;
  readonly answered_at: string | null;
  readonly started_at: string | null;
  readonly ended_at: string | null;
  readonly model: string | null;
  readonly input_tokens: number | null;
  readonly cached_input_tokens: number | null;
  readonly output_tokens: number | null;
}

/** GET /runs/ID/requests/INTENT */
export interface RequestDetails {
  /** The request as the broker decided it; of a chat with `messages` and `tools`. */
  readonly request: unknown;
  readonly result: unknown;
  readonly finish_reason: string | null;
  readonly first_text_ms: number | null;
  readonly files: readonly {
    readonly path: string;
    readonly diff: string | null;
    readonly by: string;
  }[];
}

/** POST /runs/ID/replay: its `first_difference` */
export interface ReplayDifference {
  readonly where: string;
  /** JSON or words, like `now`. */
  readonly recorded: string;
  readonly now: string;
}

/** GET /runs/ID/changes */
export interface Changes {
  readonly files: readonly {
    readonly path: string;
    readonly kind: 'created' | 'changed' | 'deleted';
    /** Unified; null if there is none to show. */
    readonly diff: string | null;
    /** Why there is no text, or why it can't be undone. */
    readonly note: string | null;
    readonly made_by: readonly string[];
  }[];
}

/** GET /costs */
export interface Costs {
  readonly by: string;
  readonly rows: readonly CostLine[];
  readonly total: CostLine;
}

export interface CostLine {
  readonly name: string;
  readonly about: string | null;
  readonly model_calls: number;
  readonly tool_calls: number;
  readonly input_tokens: number;
  readonly cached_input_tokens: number;
  readonly output_tokens: number;
  readonly cost_usd: number;
}

/** GET /health */
export interface Health {
  readonly checks: readonly {
    readonly area: string;
    readonly name: string;
    readonly status: 'ok' | 'warn' | 'fail';
    readonly message: string;
    readonly fix: string | null;
  }[];
}

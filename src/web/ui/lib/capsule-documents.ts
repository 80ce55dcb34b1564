/** The documents of capsules as the page reads them (`/api/v1/capsules`). */

/** GET /capsules: `{ capsules }` */
export interface CapsuleRow {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly version: string;
  readonly origin: 'shipped' | 'user' | 'project' | string;
  readonly quarantine: string | null;
  readonly uses: number;
  /** 0 to 1; null if it was never used. */
  readonly completed_share: number | null;
  readonly median_ms: number | null;
  readonly p95_ms: number | null;
  readonly cost_usd: number | null;
  /** Durations of its last uses in milliseconds, oldest first. */
  readonly last_ms: readonly number[];
}

/** GET /capsules/ID */
export interface CapsulePage extends CapsuleRow {
  readonly overlay: string;
  readonly overlay_version: string;
  readonly has_own_overlay: boolean;
  readonly can_save: boolean;
  readonly trust: readonly { readonly tier: number; readonly level: string }[];
  readonly grants: unknown;
  readonly skills: readonly string[];
  readonly versions: readonly {
    readonly version: string;
    readonly uses: number;
    readonly completed_share: number;
    readonly last_used_at: string | null;
  }[];
  readonly memories: number;
  readonly cases: readonly { readonly name: string }[];
}

/** POST /capsules/ID/prompt: of a draft, not saved */
export interface PromptPreview {
  readonly tokens: number;
  readonly layers: readonly {
    readonly kind: string;
    readonly id: string;
    readonly text: string;
    readonly tokens: number;
  }[];
  readonly findings: readonly {
    readonly line: number | null;
    readonly message: string;
    readonly severity: 'error' | 'warning' | string;
  }[];
}

/** POST /capsules/ID/cases: of a draft beside what is saved */
export interface CaseResults {
  readonly cases: readonly {
    readonly name: string;
    readonly saved: CaseResult;
    readonly draft: CaseResult;
  }[];
  readonly duration_ms: number;
}

export interface CaseResult {
  readonly passes: boolean;
  readonly problem: string | null;
  readonly tokens: number;
  readonly cost_usd: number;
}

/** GET /capsules/ID/memory: `{ items }` */
export interface MemoryItem {
  readonly id: number;
  readonly text: string;
  readonly workspace: string | null;
  readonly run_id: string | null;
  readonly at: string;
  readonly is_untrusted: boolean;
}

/**
 * A check for a column with few possible values, separated by blanks. Not `IN`: for more than two values, SQLite builds a
 * B-tree of them whenever a row is written.
 */
const oneOf = (column: string, values: string): string =>
  `CHECK (${values
    .split(' ')
    .map((value) => `${column} = '${value}'`)
    .join(' OR ')})`;

/** The schema of the first release, which the first migration makes. Earlier ones are not supported. */
export const FIRST_SCHEMA = 26;

/** Append-only: each entry takes the schema to the next version, in one transaction with all that follow. */
export const migrations: readonly string[] = [
  `
    CREATE TABLE runs (
      id TEXT PRIMARY KEY,
      session_id TEXT NOT NULL,
      task TEXT NOT NULL,
      workspace TEXT NOT NULL,
      provider TEXT NOT NULL,
      isolation TEXT NOT NULL,
      options TEXT NOT NULL,
      status TEXT NOT NULL ${oneOf('status', 'pending running parked completed failed cancelled')},
      reason TEXT,
      answer TEXT,
      error TEXT,
      owner TEXT NOT NULL,
      created_at TEXT NOT NULL,
      ended_at TEXT,
      lease_until TEXT,
      seed TEXT NOT NULL DEFAULT '',
      policy TEXT NOT NULL DEFAULT '{}',
      policy_version TEXT NOT NULL DEFAULT '',
      wish TEXT NOT NULL DEFAULT '{}',
      forked_from TEXT,
      forked_at TEXT,
      duration_ms INTEGER NOT NULL DEFAULT 0,
      stopped_by TEXT
    ) STRICT;
    CREATE INDEX runs_by_time ON runs (created_at);
    CREATE INDEX runs_by_session ON runs (session_id, created_at);

    CREATE TABLE subtasks (
      run_id TEXT NOT NULL REFERENCES runs ON DELETE CASCADE,
      id TEXT NOT NULL,
      phase TEXT NOT NULL CHECK (phase IN ('discovery','execution')),
      position INTEGER NOT NULL,
      description TEXT NOT NULL,
      depends_on TEXT NOT NULL,
      capsule_id TEXT,
      task_kind TEXT,
      route TEXT,
      status TEXT NOT NULL ${oneOf('status', 'pending running waiting_approval completed failed skipped cancelled')},
      reason TEXT,
      result TEXT,
      error TEXT,
      started_at TEXT,
      ended_at TEXT,
      planned_capsule TEXT,
      writes TEXT NOT NULL DEFAULT '[]',
      needs TEXT NOT NULL DEFAULT '[]',
      replaced_for TEXT CHECK (replaced_for IN ('failure','message')),
      planned_at TEXT,
      replaced_at TEXT,
      hint TEXT ${oneOf('hint', 'fast balanced best')},
      order_only TEXT NOT NULL DEFAULT '[]',
      PRIMARY KEY (run_id, id)
    ) STRICT;

    CREATE TABLE attempts (
      id TEXT PRIMARY KEY,
      run_id TEXT NOT NULL,
      subtask_id TEXT NOT NULL,
      number INTEGER NOT NULL,
      capsule_id TEXT NOT NULL,
      capsule_hash TEXT NOT NULL,
      status TEXT NOT NULL ${oneOf('status', 'running completed failed interrupted')},
      reason TEXT,
      error TEXT,
      metrics TEXT NOT NULL DEFAULT '{}',
      started_at TEXT NOT NULL,
      ended_at TEXT,
      request TEXT,
      response TEXT,
      FOREIGN KEY (run_id, subtask_id) REFERENCES subtasks ON DELETE CASCADE,
      UNIQUE (run_id, subtask_id, number)
    ) STRICT;
    CREATE INDEX attempts_by_capsule ON attempts (capsule_id, started_at);

    CREATE TABLE intents (
      id TEXT PRIMARY KEY,
      run_id TEXT NOT NULL REFERENCES runs ON DELETE CASCADE,
      attempt_id TEXT REFERENCES attempts ON DELETE CASCADE,
      subtask_id TEXT NOT NULL,
      capsule_id TEXT NOT NULL,
      seq INTEGER NOT NULL,
      kind TEXT NOT NULL ${oneOf('kind', 'tool chat http')},
      name TEXT NOT NULL,
      target TEXT NOT NULL,
      tier INTEGER NOT NULL,
      request TEXT NOT NULL,
      request_hash TEXT NOT NULL,
      reason TEXT NOT NULL,
      status TEXT NOT NULL ${oneOf('status', 'proposed waiting denied started done failed unknown')},
      rule TEXT,
      denial TEXT,
      outcome TEXT,
      cost_micro_usd INTEGER NOT NULL DEFAULT 0,
      input_tokens INTEGER NOT NULL DEFAULT 0,
      cached_input_tokens INTEGER NOT NULL DEFAULT 0,
      output_tokens INTEGER NOT NULL DEFAULT 0,
      proposed_at TEXT NOT NULL,
      started_at TEXT,
      ended_at TEXT,
      wire_id TEXT,
      step INTEGER,
      repeatability TEXT NOT NULL DEFAULT 'unsafe' ${oneOf('repeatability', 'pure idempotent unsafe')},
      facts TEXT,
      effects TEXT,
      reserved_micro_usd INTEGER NOT NULL DEFAULT 0,
      reserved_tokens INTEGER NOT NULL DEFAULT 0,
      asked_hash TEXT,
      UNIQUE (run_id, seq)
    ) STRICT;
    CREATE INDEX intents_by_attempt ON intents (attempt_id);
    CREATE INDEX intents_money_of_day ON intents (started_at, capsule_id, cost_micro_usd, reserved_micro_usd, id)
      WHERE cost_micro_usd > 0 OR reserved_micro_usd > 0;
    CREATE INDEX intents_money_of_run ON intents (run_id, capsule_id, id, cost_micro_usd, reserved_micro_usd)
      WHERE cost_micro_usd > 0 OR reserved_micro_usd > 0;
    CREATE INDEX intents_tokens_of_run ON intents (run_id, id, input_tokens, output_tokens, reserved_tokens)
      WHERE kind <> 'tool';

    CREATE TABLE run_files (
      run_id TEXT NOT NULL REFERENCES runs ON DELETE CASCADE,
      path TEXT NOT NULL,
      sha256 TEXT NOT NULL,
      bytes INTEGER NOT NULL,
      was_written INTEGER NOT NULL CHECK (was_written IN (0, 1)),
      subtask_id TEXT NOT NULL,
      PRIMARY KEY (run_id, path)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE written_files (
      path TEXT PRIMARY KEY,
      sha256 TEXT NOT NULL,
      run_id TEXT
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE memory_updates (
      attempt_id TEXT NOT NULL REFERENCES attempts ON DELETE CASCADE,
      position INTEGER NOT NULL,
      capsule_id TEXT NOT NULL,
      text TEXT NOT NULL,
      applied INTEGER NOT NULL DEFAULT 0 CHECK (applied IN (0, 1)),
      is_untrusted INTEGER NOT NULL DEFAULT 0 CHECK (is_untrusted IN (0, 1)),
      PRIMARY KEY (attempt_id, position)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE events (
      run_id TEXT NOT NULL REFERENCES runs ON DELETE CASCADE,
      seq INTEGER NOT NULL,
      event TEXT NOT NULL,
      PRIMARY KEY (run_id, seq)
    ) STRICT, WITHOUT ROWID;

    CREATE VIRTUAL TABLE search_texts USING fts5 (text, tokenize = 'porter unicode61');

    CREATE TABLE reused_intents (
      attempt_id TEXT NOT NULL REFERENCES attempts ON DELETE CASCADE,
      intent_id TEXT NOT NULL REFERENCES intents ON DELETE CASCADE,
      PRIMARY KEY (attempt_id, intent_id)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE approvals (
      id TEXT PRIMARY KEY,
      run_id TEXT NOT NULL REFERENCES runs ON DELETE CASCADE,
      intent_id TEXT,
      subtask_id TEXT NOT NULL,
      capsule_id TEXT NOT NULL,
      kind TEXT NOT NULL ${oneOf('kind', 'tool spend create changed_file changed_capsule raise unknown divergence hook route question plan')},
      question TEXT NOT NULL,
      why TEXT NOT NULL,
      details TEXT NOT NULL,
      capsule_reason TEXT NOT NULL,
      operation TEXT NOT NULL,
      target TEXT NOT NULL,
      tier INTEGER NOT NULL,
      cost_micro_usd INTEGER,
      request_hash TEXT NOT NULL,
      workspace TEXT NOT NULL,
      capsule_hash TEXT NOT NULL,
      binding TEXT NOT NULL,
      policy_version TEXT NOT NULL,
      is_forced INTEGER NOT NULL CHECK (is_forced IN (0, 1)),
      choices TEXT NOT NULL,
      status TEXT NOT NULL ${oneOf('status', 'pending answered expired consumed')},
      answer TEXT CHECK
        (answer IN ('approve','deny','it_happened','do_it','abandon','none') OR answer LIKE 'capsule:%'
          OR kind = 'question'),
      answered_by TEXT,
      note TEXT,
      created_at TEXT NOT NULL,
      expires_at TEXT,
      answered_at TEXT,
      consumed_at TEXT,
      free_text INTEGER NOT NULL DEFAULT 0 CHECK (free_text IN (0, 1)),
      plan TEXT,
      edited_steps TEXT
    ) STRICT;
    CREATE INDEX approvals_by_run ON approvals (run_id);
    CREATE INDEX approvals_pending ON approvals (created_at) WHERE status = 'pending';

    CREATE TABLE remembered_answers (
      id TEXT PRIMARY KEY,
      answer TEXT NOT NULL CHECK (answer IN ('approve','deny')),
      run_id TEXT REFERENCES runs ON DELETE CASCADE,
      capsule_id TEXT NOT NULL,
      capsule_hash TEXT NOT NULL,
      workspace TEXT NOT NULL,
      operation TEXT NOT NULL,
      pattern TEXT NOT NULL,
      most_uses INTEGER,
      uses INTEGER NOT NULL DEFAULT 0,
      expires_at TEXT,
      created_at TEXT NOT NULL,
      created_by TEXT NOT NULL,
      revoked_at TEXT
    ) STRICT;
    CREATE INDEX remembered_by_capsule ON remembered_answers (capsule_id);

    CREATE TABLE trust (
      capsule_id TEXT NOT NULL,
      tier INTEGER NOT NULL CHECK (tier IN (1, 2)),
      level TEXT NOT NULL ${oneOf('level', 'supervised sampling autonomous')},
      approved INTEGER NOT NULL,
      denied INTEGER NOT NULL,
      failures_in_a_row INTEGER NOT NULL,
      changed_at TEXT NOT NULL,
      PRIMARY KEY (capsule_id, tier)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE agreed_capsules (
      capsule_id TEXT NOT NULL,
      dir TEXT NOT NULL,
      hash TEXT NOT NULL,
      agreed_at TEXT NOT NULL,
      agreed_by TEXT NOT NULL,
      PRIMARY KEY (capsule_id, dir)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE breakers (
      provider TEXT NOT NULL,
      model TEXT NOT NULL,
      failures INTEGER NOT NULL,
      opened_at TEXT,
      probe_until TEXT,
      last_problem TEXT,
      PRIMARY KEY (provider, model)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE budget_raises (
      id TEXT PRIMARY KEY,
      scope TEXT NOT NULL ${oneOf('scope', 'run capsule day')},
      subject TEXT NOT NULL,
      micro_usd INTEGER NOT NULL,
      approval_id TEXT,
      raised_at TEXT NOT NULL
    ) STRICT;
    CREATE INDEX budget_raises_by_subject ON budget_raises (scope, subject);

    CREATE TABLE audit (
      seq INTEGER PRIMARY KEY,
      at TEXT NOT NULL,
      actor TEXT NOT NULL,
      action TEXT NOT NULL,
      run_id TEXT,
      ref TEXT NOT NULL,
      detail TEXT NOT NULL,
      prev_hash TEXT NOT NULL,
      hash TEXT NOT NULL
    ) STRICT;

    CREATE TABLE capsule_versions (
      capsule_id TEXT NOT NULL,
      place TEXT NOT NULL,
      version TEXT NOT NULL,
      overlay TEXT NOT NULL,
      uses INTEGER NOT NULL,
      completed INTEGER NOT NULL,
      cost_micro_usd INTEGER NOT NULL,
      first_used_at TEXT NOT NULL,
      last_used_at TEXT NOT NULL,
      PRIMARY KEY (capsule_id, place, version)
    ) STRICT;

    CREATE TABLE capsule_times (
      capsule_id TEXT NOT NULL,
      place TEXT NOT NULL,
      version TEXT NOT NULL,
      slot INTEGER NOT NULL,
      duration_ms INTEGER NOT NULL,
      PRIMARY KEY (capsule_id, place, version, slot),
      FOREIGN KEY (capsule_id, place, version) REFERENCES capsule_versions ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE capsule_failures (
      capsule_id TEXT NOT NULL,
      place TEXT NOT NULL,
      hash TEXT NOT NULL,
      in_a_row INTEGER NOT NULL,
      PRIMARY KEY (capsule_id, place)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE quarantined_capsules (
      capsule_id TEXT NOT NULL,
      place TEXT NOT NULL,
      reason TEXT NOT NULL,
      held_by TEXT NOT NULL,
      held_at TEXT NOT NULL,
      hash TEXT,
      PRIMARY KEY (capsule_id, place)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE search_documents (
      id INTEGER PRIMARY KEY,
      owner TEXT NOT NULL UNIQUE,
      hash TEXT NOT NULL,
      used_on TEXT NOT NULL
    ) STRICT;

    CREATE TABLE search_parts (
      document_id INTEGER NOT NULL REFERENCES search_documents ON DELETE CASCADE,
      position INTEGER NOT NULL,
      kind TEXT NOT NULL ${oneOf('kind', 'part corrected against mean')},
      label TEXT NOT NULL,
      text_hash TEXT NOT NULL,
      PRIMARY KEY (document_id, position)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX search_parts_by_text ON search_parts (text_hash);

    CREATE TABLE search_vectors (
      id INTEGER PRIMARY KEY,
      embedder TEXT NOT NULL,
      version TEXT NOT NULL,
      text_hash TEXT NOT NULL,
      embedding BLOB NOT NULL,
      UNIQUE (text_hash, embedder, version)
    ) STRICT;

    CREATE TABLE completed_tasks (
      capsule TEXT NOT NULL,
      task TEXT NOT NULL,
      completed_at TEXT NOT NULL,
      PRIMARY KEY (capsule, task)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE route_corrections (
      task TEXT PRIMARY KEY,
      capsule TEXT NOT NULL,
      instead_of TEXT,
      corrected_at TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE cancel_requests (
      run_id TEXT PRIMARY KEY REFERENCES runs ON DELETE CASCADE,
      requested_by TEXT NOT NULL,
      requested_at TEXT NOT NULL,
      action TEXT NOT NULL DEFAULT 'cancel' CHECK (action IN ('cancel','stop'))
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE messages (
      id TEXT PRIMARY KEY,
      run_id TEXT NOT NULL REFERENCES runs ON DELETE CASCADE,
      seq INTEGER NOT NULL,
      text TEXT NOT NULL,
      sent_by TEXT NOT NULL,
      created_at TEXT NOT NULL,
      taken_at TEXT,
      UNIQUE (run_id, seq)
    ) STRICT;

    CREATE TABLE file_changes (
      run_id TEXT NOT NULL REFERENCES runs ON DELETE CASCADE,
      path TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('tool','program')),
      before TEXT NOT NULL,
      before_mode INTEGER,
      kept_bytes INTEGER,
      problem TEXT,
      planned TEXT,
      after TEXT,
      after_mode INTEGER,
      after_bytes INTEGER,
      subtask_id TEXT NOT NULL,
      intent_id TEXT NOT NULL,
      undone_at TEXT,
      PRIMARY KEY (run_id, path)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX file_changes_by_path ON file_changes (path);

    CREATE TABLE change_gaps (
      run_id TEXT NOT NULL REFERENCES runs ON DELETE CASCADE,
      intent_id TEXT NOT NULL,
      reason TEXT NOT NULL,
      PRIMARY KEY (run_id, intent_id)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE undos (
      id TEXT PRIMARY KEY,
      run_id TEXT NOT NULL REFERENCES runs ON DELETE CASCADE,
      action TEXT NOT NULL CHECK (action IN ('undo','redo')),
      done_by TEXT NOT NULL,
      owner TEXT NOT NULL,
      files TEXT NOT NULL,
      started_at TEXT NOT NULL,
      ended_at TEXT
    ) STRICT;
    CREATE INDEX undos_by_run ON undos (run_id);

    CREATE TABLE agreed_files (owner TEXT PRIMARY KEY, files TEXT NOT NULL) STRICT;

    CREATE TABLE deadline_clock (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      at_ms INTEGER NOT NULL,
      uptime_ms INTEGER NOT NULL,
      boot_id TEXT NOT NULL
    ) STRICT;

    CREATE TABLE model_deltas (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      run_id TEXT NOT NULL REFERENCES runs ON DELETE CASCADE,
      intent_id TEXT NOT NULL,
      delta TEXT NOT NULL
    ) STRICT;
    CREATE INDEX model_deltas_by_run ON model_deltas (run_id, id);

    CREATE TABLE server (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      owner TEXT NOT NULL,
      url TEXT NOT NULL
    ) STRICT;

    CREATE TABLE server_secrets (
      hash TEXT PRIMARY KEY,
      kind TEXT NOT NULL CHECK (kind IN ('code','token')),
      expires_at TEXT
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE dispatches (
      key TEXT PRIMARY KEY,
      request_hash TEXT NOT NULL,
      run_id TEXT NOT NULL,
      created_at TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE hosted_runs (
      run_id TEXT PRIMARY KEY REFERENCES runs ON DELETE CASCADE,
      owner TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE deleted_calls (
      kind TEXT NOT NULL,
      capsule_id TEXT NOT NULL,
      target TEXT NOT NULL,
      started_at TEXT NOT NULL,
      input_tokens INTEGER NOT NULL,
      cached_input_tokens INTEGER NOT NULL,
      output_tokens INTEGER NOT NULL,
      cost_micro_usd INTEGER NOT NULL,
      outcome TEXT
    ) STRICT;
    CREATE INDEX deleted_calls_by_time ON deleted_calls (started_at, capsule_id, cost_micro_usd);
  `,
];

/** The schema after these migrations. */
export const schemaAfter = (steps: readonly string[] = migrations): number =>
  FIRST_SCHEMA + steps.length - 1;

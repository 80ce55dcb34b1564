/**
 * A check for a column with few possible values, separated by blanks. Not `IN`: for more than two values, SQLite builds a
 * B-tree of them whenever a row is written.
 */
const oneOf = (column: string, values: string): string =>
  `CHECK (${values
    .split(' ')
    .map((value) => `${column} = '${value}'`)
    .join(' OR ')})`;

/** The columns of `approvals` as two entries below make them. Frozen: a change of the table is a new entry. */
const APPROVAL_COLUMNS = `
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
  consumed_at TEXT`;

/**
 * Append-only: entry n takes the schema from version n to n + 1, in one transaction with all that follow. An entry leaves
 * out what a later one makes again.
 */
export const migrations: readonly { readonly name: string; readonly sql: string }[] = [
  {
    name: 'runs and their journal',
    sql: `
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
        ended_at TEXT
      ) STRICT;
      CREATE INDEX runs_by_time ON runs (created_at);

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
        FOREIGN KEY (run_id, subtask_id) REFERENCES subtasks ON DELETE CASCADE,
        UNIQUE (run_id, subtask_id, number)
      ) STRICT;

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
        UNIQUE (run_id, seq)
      ) STRICT;
      CREATE INDEX intents_by_attempt ON intents (attempt_id);
      CREATE INDEX intents_by_time ON intents (proposed_at) WHERE cost_micro_usd > 0;

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
        sha256 TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE memory_updates (
        attempt_id TEXT NOT NULL REFERENCES attempts ON DELETE CASCADE,
        position INTEGER NOT NULL,
        capsule_id TEXT NOT NULL,
        text TEXT NOT NULL,
        applied INTEGER NOT NULL DEFAULT 0 CHECK (applied IN (0, 1)),
        PRIMARY KEY (attempt_id, position)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE events (
        run_id TEXT NOT NULL REFERENCES runs ON DELETE CASCADE,
        seq INTEGER NOT NULL,
        event TEXT NOT NULL,
        PRIMARY KEY (run_id, seq)
      ) STRICT, WITHOUT ROWID;
    `,
  },
  {
    name: 'the search index of capsules',
    sql: "CREATE VIRTUAL TABLE search_texts USING fts5 (text, tokenize = 'porter unicode61');",
  },
  {
    name: 'durable questions, trust, money and the audit chain',
    sql: `
      ALTER TABLE runs ADD COLUMN lease_until TEXT;
      ALTER TABLE runs ADD COLUMN seed TEXT NOT NULL DEFAULT '';
      ALTER TABLE runs ADD COLUMN policy TEXT NOT NULL DEFAULT '{}';
      ALTER TABLE runs ADD COLUMN policy_version TEXT NOT NULL DEFAULT '';
      ALTER TABLE runs ADD COLUMN wish TEXT NOT NULL DEFAULT '{}';
      ALTER TABLE runs ADD COLUMN forked_from TEXT;
      ALTER TABLE runs ADD COLUMN forked_at TEXT;

      ALTER TABLE attempts ADD COLUMN request TEXT;
      ALTER TABLE attempts ADD COLUMN response TEXT;

      ALTER TABLE intents ADD COLUMN wire_id TEXT;
      ALTER TABLE intents ADD COLUMN step INTEGER;
      ALTER TABLE intents ADD COLUMN repeatability TEXT NOT NULL DEFAULT 'unsafe'
        ${oneOf('repeatability', 'pure idempotent unsafe')};
      ALTER TABLE intents ADD COLUMN facts TEXT;
      ALTER TABLE intents ADD COLUMN effects TEXT;
      ALTER TABLE intents ADD COLUMN reserved_micro_usd INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE intents ADD COLUMN reserved_tokens INTEGER NOT NULL DEFAULT 0;

      CREATE TABLE reused_intents (
        attempt_id TEXT NOT NULL REFERENCES attempts ON DELETE CASCADE,
        intent_id TEXT NOT NULL REFERENCES intents ON DELETE CASCADE,
        PRIMARY KEY (attempt_id, intent_id)
      ) STRICT, WITHOUT ROWID;

      DROP TABLE IF EXISTS approvals;
      CREATE TABLE approvals (${APPROVAL_COLUMNS}) STRICT;
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
    `,
  },
  {
    name: 'sums of money and tokens without reading the rows',
    sql: `
      CREATE INDEX intents_money_of_run ON intents (run_id, capsule_id, cost_micro_usd, reserved_micro_usd, id)
        WHERE cost_micro_usd > 0 OR reserved_micro_usd > 0;
      CREATE INDEX intents_money_of_day ON intents (started_at, capsule_id, cost_micro_usd, reserved_micro_usd, id)
        WHERE cost_micro_usd > 0 OR reserved_micro_usd > 0;
      CREATE INDEX intents_tokens_of_run ON intents (run_id, input_tokens, output_tokens, reserved_tokens, id)
        WHERE kind <> 'tool';
    `,
  },
  {
    name: 'what a capsule asked for before a hook changed it',
    sql: 'ALTER TABLE intents ADD COLUMN asked_hash TEXT;',
  },
  {
    name: 'how capsules fare, and which of them are quarantined',
    sql: `
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
        PRIMARY KEY (capsule_id, place)
      ) STRICT, WITHOUT ROWID;
    `,
  },
  {
    name: 'routing that learns',
    sql: `
      DROP TABLE IF EXISTS search_embeddings;
      DROP TABLE IF EXISTS search_documents;
      DELETE FROM search_texts;

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
    `,
  },
  { name: 'questions that are answered by a choice', sql: '' },
  {
    name: 'requests to cancel a run, and messages to it',
    sql: `
      CREATE TABLE cancel_requests (
        run_id TEXT PRIMARY KEY REFERENCES runs ON DELETE CASCADE,
        requested_by TEXT NOT NULL,
        requested_at TEXT NOT NULL
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

      CREATE INDEX runs_by_session ON runs (session_id, created_at);
    `,
  },
  {
    name: 'files that runs change, and undos',
    sql: `
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

      INSERT INTO change_gaps (run_id, intent_id, reason)
        SELECT run_id, min(id), 'not_recorded' FROM intents
        WHERE tier >= 1 AND status IN ('started','done','failed','unknown') GROUP BY run_id;

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
    `,
  },
  {
    name: 'texts of the files that people agreed to',
    sql: 'CREATE TABLE agreed_files (owner TEXT PRIMARY KEY, files TEXT NOT NULL) STRICT;',
  },
  {
    name: 'a clock for deadlines, and durations of runs',
    sql: `
      CREATE TABLE deadline_clock (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        at_ms INTEGER NOT NULL,
        uptime_ms INTEGER NOT NULL,
        boot_id TEXT NOT NULL
      ) STRICT;

      ALTER TABLE runs ADD COLUMN duration_ms INTEGER NOT NULL DEFAULT 0;
      UPDATE runs SET duration_ms =
        max(0, round((julianday(ended_at) - julianday(created_at)) * 86400000))
        WHERE ended_at IS NOT NULL AND julianday(ended_at) IS NOT NULL AND julianday(created_at) IS NOT NULL;
    `,
  },
  {
    name: 'what a planned step writes and needs, and steps that a later plan replaced',
    sql: `
      ALTER TABLE subtasks ADD COLUMN planned_capsule TEXT;
      ALTER TABLE subtasks ADD COLUMN writes TEXT NOT NULL DEFAULT '[]';
      ALTER TABLE subtasks ADD COLUMN needs TEXT NOT NULL DEFAULT '[]';
      ALTER TABLE subtasks ADD COLUMN replaced_for TEXT CHECK (replaced_for IN ('failure','message'));
      ALTER TABLE subtasks ADD COLUMN planned_at TEXT;
      ALTER TABLE subtasks ADD COLUMN replaced_at TEXT;
    `,
  },
  {
    name: 'memories that may come from untrusted content',
    sql: 'ALTER TABLE memory_updates ADD COLUMN is_untrusted INTEGER NOT NULL DEFAULT 0 CHECK (is_untrusted IN (0, 1));',
  },
  {
    name: 'questions of capsules to a person',
    sql: 'ALTER TABLE approvals ADD COLUMN free_text INTEGER NOT NULL DEFAULT 0 CHECK (free_text IN (0, 1));',
  },
  {
    name: 'attempts by capsule',
    sql: 'CREATE INDEX attempts_by_capsule ON attempts (capsule_id, started_at);',
  },
  {
    name: 'texts of answers that are not complete yet',
    sql: `
      CREATE TABLE model_deltas (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        run_id TEXT NOT NULL REFERENCES runs ON DELETE CASCADE,
        intent_id TEXT NOT NULL,
        delta TEXT NOT NULL
      ) STRICT;
      CREATE INDEX model_deltas_by_run ON model_deltas (run_id, id);
      CREATE INDEX model_deltas_by_intent ON model_deltas (intent_id);
    `,
  },
  {
    name: 'plans that wait for a person, and runs that a person stopped',
    sql: `
      ALTER TABLE cancel_requests ADD COLUMN action TEXT NOT NULL DEFAULT 'cancel' CHECK (action IN ('cancel','stop'));
      ALTER TABLE runs ADD COLUMN stopped_by TEXT;
      ALTER TABLE subtasks ADD COLUMN hint TEXT ${oneOf('hint', 'fast balanced best')};

      CREATE TABLE approvals_now (${APPROVAL_COLUMNS},
        free_text INTEGER NOT NULL DEFAULT 0 CHECK (free_text IN (0, 1)),
        plan TEXT,
        edited_steps TEXT
      ) STRICT;
      INSERT INTO approvals_now SELECT *, NULL, NULL FROM approvals;
      DROP TABLE approvals;
      ALTER TABLE approvals_now RENAME TO approvals;
      CREATE INDEX approvals_by_run ON approvals (run_id);
      CREATE INDEX approvals_pending ON approvals (created_at) WHERE status = 'pending';
    `,
  },
  {
    name: 'the server: its address, secrets as hashes, keys of requests, and the runs that it continues',
    sql: `
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
    `,
  },
  {
    name: 'vectors of the search index in their rows',
    sql: `
      DELETE FROM search_parts;
      DELETE FROM search_documents;
      DELETE FROM search_texts;
      DELETE FROM search_vectors;
      ALTER TABLE search_vectors ADD COLUMN embedding BLOB;
    `,
  },
  {
    name: 'dependencies of subtasks that only order them',
    sql: `ALTER TABLE subtasks ADD COLUMN order_only TEXT NOT NULL DEFAULT '[]';`,
  },
  {
    name: 'the run that changed a file of a person; null: Capstan created the file',
    sql: 'ALTER TABLE written_files ADD COLUMN run_id TEXT;',
  },
  {
    name: 'indexes in which a call keeps its place when its cost becomes known, and none that is not needed',
    sql: `
      DROP INDEX intents_by_time;
      DROP INDEX model_deltas_by_intent;
      DROP INDEX intents_money_of_run;
      DROP INDEX intents_tokens_of_run;
      CREATE INDEX intents_money_of_run ON intents (run_id, capsule_id, id, cost_micro_usd, reserved_micro_usd)
        WHERE cost_micro_usd > 0 OR reserved_micro_usd > 0;
      CREATE INDEX intents_tokens_of_run ON intents (run_id, id, input_tokens, output_tokens, reserved_tokens)
        WHERE kind <> 'tool';
    `,
  },
  {
    name: 'the files that a quarantine by rule is for; null: any',
    sql: `
      ALTER TABLE quarantined_capsules ADD COLUMN hash TEXT;
      UPDATE quarantined_capsules AS held SET hash = (
        SELECT hash FROM capsule_failures AS failed
        WHERE failed.capsule_id = held.capsule_id AND failed.place = held.place
      ) WHERE held_by = 'policy';
    `,
  },
  {
    name: 'the paid calls of deleted runs, without their content: what was spent stays spent',
    sql: `
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
  },
];

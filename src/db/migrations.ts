/** Append-only: entry n takes the schema from version n to n + 1, in one transaction with all that follow. */
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
        status TEXT NOT NULL CHECK (status IN ('pending','running','parked','completed','failed','cancelled')),
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
        status TEXT NOT NULL CHECK (status IN
          ('pending','running','waiting_approval','completed','failed','skipped','cancelled')),
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
        status TEXT NOT NULL CHECK (status IN ('running','completed','failed','interrupted')),
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
        kind TEXT NOT NULL CHECK (kind IN ('tool','chat','http')),
        name TEXT NOT NULL,
        target TEXT NOT NULL,
        tier INTEGER NOT NULL,
        request TEXT NOT NULL,
        request_hash TEXT NOT NULL,
        reason TEXT NOT NULL,
        status TEXT NOT NULL CHECK (status IN
          ('proposed','waiting','denied','started','done','failed','unknown')),
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

      CREATE TABLE approvals (
        id TEXT PRIMARY KEY,
        run_id TEXT NOT NULL REFERENCES runs ON DELETE CASCADE,
        intent_id TEXT,
        kind TEXT NOT NULL,
        question TEXT NOT NULL,
        request_hash TEXT NOT NULL,
        status TEXT NOT NULL CHECK (status IN ('pending','answered','expired','consumed')),
        answer TEXT CHECK (answer IN ('approve','deny')),
        answered_by TEXT,
        created_at TEXT NOT NULL,
        answered_at TEXT
      ) STRICT;
      CREATE INDEX approvals_by_run ON approvals (run_id);

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
    sql: `
      CREATE TABLE search_documents (
        id INTEGER PRIMARY KEY,
        hash TEXT NOT NULL UNIQUE,
        used_on TEXT NOT NULL
      ) STRICT;

      CREATE TABLE search_embeddings (
        document_id INTEGER NOT NULL REFERENCES search_documents ON DELETE CASCADE,
        vectors TEXT NOT NULL,
        PRIMARY KEY (document_id, vectors)
      ) STRICT, WITHOUT ROWID;

      CREATE VIRTUAL TABLE search_texts USING fts5 (text, tokenize = 'porter unicode61');
    `,
  },
];

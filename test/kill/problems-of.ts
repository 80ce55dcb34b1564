import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { verifyAudit } from '../../src/broker/audit/verify-audit.ts';
import type { Db } from '../../src/db/open-database.ts';
import { type Books, COUNTED } from './books.ts';
import { CALL_MICRO_USD, MADE } from './outside.ts';

/** All violated guarantees of a run that has ended, according to its rows and to the counts outside. */
export function problemsOf(books: Books, { mayWait = false } = {}): readonly string[] {
  const db = new Database(books.database, { readonly: true });
  try {
    return [
      ...effectProblems(books),
      ...fileProblems(books),
      ...capsuleProblems(books),
      ...rowProblems(db),
      ...answerProblems(db, books),
      ...moneyProblems(db, books),
      ...memoryProblems(db, books, mayWait),
    ];
  } finally {
    db.close();
  }
}

const differs = (what: string, is: unknown, wanted: unknown): readonly string[] =>
  JSON.stringify(is) === JSON.stringify(wanted)
    ? []
    : [`${what}: ${JSON.stringify(is)}, and it should be ${JSON.stringify(wanted)}`];

/** Each effect exactly once. */
const effectProblems = (books: Books) =>
  differs('the ledger', [...books.entries()].sort(), ['closing', 'counting', 'opening']);

const FILES = {
  'books.txt': 'amounts\n',
  'report.md': 'closed, sum: four\n',
  'input.txt': 'input\n',
};

function fileProblems({ workspace }: Books): readonly string[] {
  const read = (path: string) => {
    const full = join(workspace, path);
    return existsSync(full) ? readFileSync(full, 'utf8') : null;
  };
  const known = new Set([...Object.keys(FILES), 'count.sh', COUNTED]);
  const strange = readdirSync(workspace, { recursive: true })
    .map(String)
    .filter((path) => !known.has(path));
  return [
    ...Object.entries(FILES).flatMap(([path, content]) => differs(path, read(path), content)),
    ...differs('files left behind', strange, []),
  ];
}

/** The capsule of the run is created once, without any leftover files. */
const capsuleProblems = ({ home }: Books) =>
  differs('capsules', readdirSync(join(home, 'data', 'agents')).sort(), ['ledger-clerk', MADE]);

/** Nothing corrupt, nothing half done. */
function rowProblems(db: Db): readonly string[] {
  const all = (sql: string) => db.prepare(sql).pluck().all();
  return [
    ...differs('integrity', db.pragma('integrity_check', { simple: true }), 'ok'),
    ...differs('foreign keys', db.pragma('foreign_key_check'), []),
    ...differs('audit', verifyAudit(db).problems, []),
    ...differs('runs', all('SELECT status FROM runs'), ['completed']),
    ...differs('subtasks', all('SELECT status FROM subtasks'), [
      'completed',
      'completed',
      'completed',
      'completed',
    ]),
    ...differs(
      'attempts that completed',
      all("SELECT subtask_id FROM attempts WHERE status = 'completed' ORDER BY subtask_id"),
      ['s1', 's2', 's3', 's4'],
    ),
    ...differs('attempts that run or failed', all(LOST_ATTEMPTS), []),
    ...differs('attempts and what counts them as uses', all(UNCOUNTED), []),
    ...differs('intents without an end', all(OPEN_INTENTS), []),
    ...differs('intents that went wrong', all(WRONG_INTENTS), []),
    ...differs('effects journaled twice', all(TWICE), []),
  ];
}

const LOST_ATTEMPTS = "SELECT error FROM attempts WHERE status IN ('running', 'failed')";
const UNCOUNTED = `SELECT capsule_id FROM attempts WHERE status IN ('completed', 'failed') GROUP BY capsule_id
  HAVING count(*) <> (SELECT coalesce(sum(uses), 0) FROM capsule_versions v WHERE v.capsule_id = attempts.capsule_id)`;
const OPEN_INTENTS = `SELECT name || ' ' || status FROM intents
  WHERE status NOT IN ('done', 'failed', 'denied')`;
const WRONG_INTENTS = `SELECT kind || ' ' || name || ' ' || status || ' ' || coalesce(outcome, '') FROM intents
  WHERE status = 'denied' OR (status = 'failed' AND kind <> 'chat')`;
const TWICE = `SELECT name || ' ' || target FROM intents WHERE status = 'done' AND tier > 0
  GROUP BY request_hash HAVING count(*) > 1`;

/** Every accepted answer is still stored, was used at most once, and nothing was asked again. */
function answerProblems(db: Db, { answers }: Books): readonly string[] {
  const find = db
    .prepare<[string], string>(
      "SELECT answer FROM approvals WHERE id = ? AND status IN ('answered', 'consumed')",
    )
    .pluck();
  return [
    ...answers.flatMap(({ id, answer }) => differs(`the answer to ${id}`, find.get(id), answer)),
    ...differs('open questions', db.prepare(OPEN_QUESTIONS).pluck().all(), []),
    ...differs('questions that were asked again', db.prepare(ASKED_TWICE).pluck().all(), []),
  ];
}

const OPEN_QUESTIONS = `SELECT kind || ' ' || status FROM approvals
  WHERE status IN ('pending', 'expired') OR kind = 'divergence'`;
const ASKED_TWICE = `SELECT kind || ' ' || question FROM approvals WHERE kind <> 'unknown'
  GROUP BY CASE kind WHEN 'spend' THEN target ELSE request_hash END HAVING count(*) > 1`;

/** Every call that was made is paid for, and every call that may have been made. */
function moneyProblems(db: Db, { name, outside }: Books): readonly string[] {
  const count = (sql: string) => db.prepare<[], number>(sql).pluck().get() ?? 0;
  const made = outside.callsOf(name);
  const paid = count("SELECT count(*) FROM intents WHERE kind = 'chat' AND cost_micro_usd > 0");
  return [
    ...(made > paid ? [`${made} calls were made, and ${paid} are paid for`] : []),
    ...differs(
      'calls at another price',
      count(`SELECT count(*) FROM intents WHERE kind = 'chat' AND status = 'done'
        AND cost_micro_usd <> ${CALL_MICRO_USD}`),
      0,
    ),
    ...differs(
      'requests of the service that are paid for once',
      count(`SELECT count(*) FROM intents WHERE kind = 'http' AND status = 'done'
        AND cost_micro_usd >= ${REQUEST_MICRO_USD}`),
      1,
    ),
    ...differs('reserved', count('SELECT sum(reserved_micro_usd) FROM intents'), 0),
  ];
}

/** By `services.yaml`. After a crash, the try whose answer was lost counts as well. */
const REQUEST_MICRO_USD = 10_000;

const REMEMBERED = ['The beans were counted.', 'The books were closed.', 'The books were opened.'];

/** Each memory item is stored once; after a failure of the database it may wait for the next run. */
function memoryProblems(db: Db, { home }: Books, mayWait: boolean): readonly string[] {
  const path = join(home, 'data', 'agents', 'ledger-clerk', 'memory.db');
  const kept = existsSync(path) ? textsIn(path) : [];
  const waiting = db.prepare('SELECT text FROM memory_updates WHERE applied = 0').pluck().all();
  return [
    ...differs('memory', [...new Set([...kept, ...waiting])].sort(), REMEMBERED),
    ...differs('remembered once', kept.length, new Set(kept).size),
    ...(mayWait ? [] : differs('memory that waits', waiting, [])),
  ];
}

function textsIn(path: string): readonly unknown[] {
  const memory = new Database(path, { readonly: true });
  try {
    const exists = memory.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'memories'").get();
    return exists ? memory.prepare('SELECT text FROM memories').pluck().all() : [];
  } finally {
    memory.close();
  }
}

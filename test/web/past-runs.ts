import { join } from 'node:path';
import { ownIdentity } from '../../src/coordinator/life/process-identity.ts';
import { openDatabase } from '../../src/db/open-database.ts';
import { uuidv7 } from '../../src/db/uuidv7.ts';

type Values = Readonly<Record<string, string | number | null>>;

const START_MS = Date.parse('2026-01-01T00:00:00Z');
const at = (ms: number) => new Date(START_MS + ms).toISOString();

/** Rows of runs that have ended, in the database of a `CAPSTAN_HOME` that Capstan has used before. */
export function openPastRuns(capstanHome: string) {
  const db = openDatabase(join(capstanHome, 'state/capstan.db'));
  const insert = (table: string, values: Values) => {
    const names = Object.keys(values);
    db.prepare(`INSERT INTO ${table} (${names}) VALUES (${names.map((name) => `@${name}`)})`).run(
      values,
    );
  };
  const addRun = (values: Values): string => {
    const id = uuidv7();
    insert('runs', {
      ...{ id, session_id: uuidv7(), task: 'A task', workspace: '/work/shop' },
      ...{ provider: 'offline', isolation: 'A: tested', options: '{}', status: 'completed' },
      ...{ answer: 'Done.', owner: ownIdentity(), created_at: at(0), ended_at: at(60_000) },
      ...{ policy: '{}', wish: '{"namedCapsule":null,"namedHosts":[]}', duration_ms: 60_000 },
      ...values,
    });
    return id;
  };
  const addStep = (run: string, position: number, values: Values = {}): string => {
    const id = `step_${position + 1}`;
    insert('subtasks', {
      ...{ run_id: run, id, phase: 'execution', position, description: `Do part ${position + 1}` },
      ...{ depends_on: '[]', capsule_id: 'file-clerk', task_kind: 'edit', status: 'completed' },
      ...{ result: '{"text":"Did it."}', started_at: at(0), ended_at: at(1_000), ...values },
    });
    return id;
  };

  return {
    /** So many runs, one step each, in sessions of one to three runs. @returns Their ids, oldest first. */
    addMany(count: number): readonly string[] {
      let session = '';
      return db.transaction(() =>
        Array.from({ length: count }, (_, index) => {
          if (index % 5 < 3) session = uuidv7();
          const created_at = at(index * 60_000);
          const status = index % 7 === 0 ? 'failed' : 'completed';
          const task = `Task ${index}: check the invoices of customer ${index % 97} and note what is missing`;
          const id = addRun({
            session_id: session,
            task,
            created_at,
            ended_at: created_at,
            status,
          });
          addStep(id, 0);
          return id;
        }),
      )();
    },
    /** One run with this many events and steps; each step depends on the one four before it. @returns Its id. */
    addLarge({ events, steps }: { readonly events: number; readonly steps: number }): string {
      return db.transaction(() => {
        const run = addRun({ task: 'Check every invoice of the year', ended_at: at(events * 100) });
        const ids: string[] = [];
        for (let position = 0; position < steps; position++) {
          const needs = ids.slice(-4, -3);
          const span = { started_at: at(position * 900), ended_at: at(position * 900 + 4_000) };
          ids.push(addStep(run, position, { depends_on: JSON.stringify(needs), ...span }));
        }
        for (let seq = 1; seq <= events; seq++) {
          const id = `${run}-${seq}`;
          const about = {
            run_id: run,
            subtask_id: ids[seq % steps] ?? '',
            capsule_id: 'file-clerk',
          };
          const asked = { name: 'file_io.read', target: `invoices/${seq}.json` };
          const event = { type: 'run.noticed', text: `Read ${asked.target}`, at: at(seq * 100) };
          insert('events', { run_id: run, seq, event: JSON.stringify({ ...about, ...event }) });
          if (seq % 4 > 0) continue;
          insert('intents', {
            ...{ id, ...about, ...asked, seq, kind: 'tool', tier: 0, request: '{}' },
            ...{ request_hash: 'h', reason: 'because', status: 'done', rule: 'reads', step: 7 },
            ...{
              proposed_at: at(seq * 100),
              started_at: at(seq * 100),
              ended_at: at(seq * 100 + 90),
            },
          });
        }
        return run;
      })();
    },
    close: () => db.close(),
  };
}

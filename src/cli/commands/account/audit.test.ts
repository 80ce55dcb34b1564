import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ioOf } from '../../../../test/programs/recorded-io.ts';
import { addRun } from '../../../../test/setup/broker-parts.ts';
import { type Person, temporaryPerson } from '../../../../test/setup/temporary-person.ts';
import type { AuditEntry } from '../../../broker/audit/audit.ts';
import { messageOf } from '../../../contract/errors.ts';
import type { Stores } from '../../../coordinator/store/create-stores.ts';
import { openStores } from '../../../coordinator/store/open-stores.ts';
import { noSecrets } from '../../../policy/secrets/redact.ts';
import { command } from './audit.ts';

let person: Person;
let stores: Stores;
beforeEach(() => {
  person = temporaryPerson();
  stores = openStores(join(person.home, 'state'), { redactor: noSecrets });
});
afterEach(() => {
  stores.close();
  person.remove();
});

function append(count: number, changes: Partial<AuditEntry> = {}): void {
  const detail = { say: 'a "b", c\nd' };
  const entry = { actor: 'policy', action: 'thing.done', runId: null, ref: 'r', detail };
  stores.journal.commit(() => {
    for (let index = 0; index < count; index++) stores.audit.append({ ...entry, ...changes });
  });
}

async function run(name: string, options: Record<string, unknown> = {}) {
  const io = ioOf({ environment: person.environment, cwd: person.project });
  const subcommand = command.subcommands?.find((one) => one.name === name);
  const result = await subcommand?.run({ positionals: [], options }, io).catch(messageOf);
  return { result, out: io.out() };
}

describe('capstan runs audit verify', () => {
  it('exits with 0 if the chain is intact, and prints its head', async () => {
    append(3);
    const { result, out } = await run('verify');
    expect(result).toBe(0);
    expect(out).toMatch(/^3 lines of the audit trail: nothing was changed\nhead [0-9a-f]{64}\n$/);
  });

  it('exits with 1 and names the changed line', async () => {
    append(3);
    stores.db.exec("UPDATE audit SET actor = 'nobody' WHERE seq = 2");
    const { result, out } = await run('verify');
    expect(result).toBe(1);
    expect(out).toContain(
      '3 lines of the audit trail: 1 problem\n  line 2: its hash does not match',
    );
    expect(JSON.parse((await run('verify', { json: true })).out)).toMatchObject({
      ok: false,
      lines: 3,
      problems: [{ seq: 2 }],
    });
  });

  it('finds that an earlier head is missing', async () => {
    append(3);
    const { head } = JSON.parse((await run('verify', { json: true })).out) as { head: string };
    stores.db.exec('DELETE FROM audit WHERE seq = 3');
    expect((await run('verify')).result).toBe(0);
    const { result, out } = await run('verify', { head: ` ${head.toUpperCase()}\n` });
    expect(result).toBe(1);
    expect(out).toContain('the chain was truncated or rewritten');
  });

  it('refuses a head that is not a hash', async () => {
    expect((await run('verify', { head: 'abc' })).result).toContain('64 hexadecimal digits');
  });
});

describe('capstan runs audit export', () => {
  it('prints every line, with everything needed to verify the chain', async () => {
    append(1_201);
    const rows = (await run('export')).out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(rows).toHaveLength(1_201);
    for (const [index, row] of rows.entries()) {
      const { prev_hash, seq, at, actor, action, run_id, ref, detail, hash } = row;
      const text = JSON.stringify([
        prev_hash,
        seq,
        at,
        actor,
        action,
        run_id,
        ref,
        JSON.stringify(detail),
      ]);
      expect(createHash('sha256').update(text).digest('hex')).toBe(hash);
      expect(prev_hash).toBe(rows[index - 1]?.hash ?? '0'.repeat(64));
    }
  });

  it('prints CSV with every cell quoted', async () => {
    append(1);
    const { out } = await run('export', { format: 'csv' });
    const [head, line, end] = out.split('\r\n');
    expect(head).toBe('seq,at,actor,action,run_id,ref,detail,prev_hash,hash');
    expect(line).toContain(',"policy","thing.done","","r","{""say"":""a \\""b\\"", c\\nd""}",');
    expect(end).toBe('');
  });

  it.each(['jsonl', 'csv'])(
    'escapes characters that a terminal acts on or hides in %s',
    async (format) => {
      const say = 'a\u202eb\u0007c\u2028d\u200be\u009bf\u{e0001}';
      append(1, { detail: { say }, ref: 'r\u202ey' });
      const { out } = await run('export', { format });
      expect(out).not.toMatch(/(?![\r\n])[\p{Cc}\p{Cf}\u2028\u2029]/u);
      if (format === 'jsonl')
        expect(JSON.parse(out)).toMatchObject({ ref: 'r\u202ey', detail: { say } });
    },
  );

  it('prints one run only', async () => {
    const id = '01a1fcfe-e997-740b-b964-971142db847e';
    addRun(stores.db, id, { status: 'completed' });
    append(2);
    append(1, { runId: id, ref: 'mine' });
    const { out } = await run('export', { run: '142db847e' });
    expect(JSON.parse(out)).toMatchObject({ seq: 3, run_id: id, ref: 'mine' });
  });

  it('prints lines since a time', async () => {
    append(1);
    expect((await run('export', { since: '1h' })).out).not.toBe('');
    expect((await run('export', { since: '2099-01-01' })).out).toBe('');
  });

  it.each([
    ['since', 'long ago', '--since is "long ago"'],
    ['format', 'xml', 'Write jsonl or csv.'],
    ['run', '0000', 'There is no run "0000"'],
  ])('refuses --%s %s', async (name, value, words) => {
    expect((await run('export', { [name]: value })).result).toContain(words);
  });
});

import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Scratch } from '../setup/tool-scratch.ts';

/** The same numbers at each run, from 0 on. */
function* numbers(): Generator<number> {
  for (let seed = 7; ; seed = (seed * 48_271) % 2_147_483_647) yield seed;
}

const cities = ['Köln', 'Paris', 'Rome, IT', 'The "Hague"', 'São Paulo'];
const quoted = (text: string) => (/[",\n;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Writes one file of each format. */
export function putFixtures(scratch: Scratch): void {
  const next = numbers();
  const below = (limit: number) => (next.next().value as number) % limit;
  const line = (...cells: unknown[]) => cells.map((cell) => quoted(String(cell))).join(',');

  const orders = Array.from({ length: 240 }, (_, at) => {
    const cents = String(below(20_000)).padStart(3, '0');
    const amount =
      at % 41 === 5 ? 'n/a' : at % 37 === 4 ? '' : `${cents.slice(0, -2)}.${cents.slice(-2)}`;
    const day = `2024-${String((at % 12) + 1).padStart(2, '0')}-${String((at % 28) + 1).padStart(2, '0')}`;
    const note = at % 50 === 3 ? 'two\nlines' : `note ${at}`;
    return line(
      at + 1,
      String(below(1_000)).padStart(5, '0'),
      (at % 20) + 1,
      amount,
      below(9),
      day,
      cities[at % 5],
      at % 3 === 0,
      note,
    );
  });
  scratch.put(
    'orders.csv',
    `id,code,customer_id,amount,qty,day,city,paid,note\r\n${orders.join('\r\n')}\r\n`,
  );

  const customers = Array.from({ length: 20 }, (_, at) =>
    [at + 1, `Name ${at % 7}`, 1e18 + at * 7, ['DE', 'FR', 'IT'][at % 3]].join('\t'),
  );
  const tsv = `id\tname\taccount\tcountry\n${customers.map((row) => row.replace(/1000000000000000(\d+)/, '1000000000000000$1')).join('\n')}\n`;
  scratch.put(
    'customers.tsv',
    Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(tsv, 'utf16le')]),
  );

  scratch.put('latin.csv', Buffer.from('straße;größe\nHauptstraße;1,5\nÄpfelweg;2,25\n', 'latin1'));
  scratch.put('plain.csv', '1;2.5;x\n2;3.5;y\n3;4;z\n');
  scratch.put('parts/jan.csv', 'sku,price\nA,1.10\nB,2.00\n');
  scratch.put('parts/feb.csv', 'sku,price\nA,1.20\nC,3.00\n');

  const products = Array.from({ length: 30 }, (_, at) => {
    const tags = JSON.stringify(at % 4 === 0 ? [] : [`t${at % 4}`, 'all']);
    return `{"sku":"P${at}","price":${below(500)}.${below(9)}0,"stock":${at % 7 === 2 ? 'null' : below(50)},"dim":{"w":${below(30)},"h":${below(30)}},"tags":${tags},"new":${at % 2 === 0}}`;
  });
  scratch.put('products.json', `{"count":30,"data":{"items":[${products.join(',\n')}]}}`);

  const events = Array.from({ length: 100 }, (_, at) => {
    const extra = at > 60 ? `,"user":{"id":${at % 9},"name":"u${at % 9}"}` : '';
    return `{"ts":"2024-03-0${(at % 9) + 1}T10:00:00Z","kind":"${['click', 'view', 'buy'][at % 3]}","ms":${below(1_000)}${extra}}`;
  });
  scratch.put('events.jsonl', `${events.join('\n')}\n`);

  const pairs = Array.from(
    { length: 80 },
    (_, at) =>
      `2024-05-0${(at % 9) + 1}T08:00:00Z level=${['info', 'warn', 'error'][at % 3]} msg="job ${at % 6} done" took=${below(900)}ms${at % 5 === 0 ? ' retry=1' : ''}`,
  );
  scratch.put('app.log', `${pairs.join('\n')}\nnot a pair\n`);

  const access = Array.from(
    { length: 150 },
    (_, at) =>
      `10.0.0.${at % 11} - - [${String((at % 28) + 1).padStart(2, '0')}/Mar/2024:${String(at % 24).padStart(2, '0')}:05:00 +0100] "${at % 7 === 0 ? 'POST' : 'GET'} /api/item/${at % 13}?q=${at} HTTP/1.1" ${[200, 200, 404, 500][at % 4]} ${at % 9 === 0 ? '-' : below(5_000)} "-" "agent/${at % 3}" 0.${String(below(1_000)).padStart(3, '0')}`,
  );
  scratch.put('access.log', `${access.join('\n')}\n`);

  const db = new Database(join(scratch.workspace, 'shop.db'));
  db.exec(`CREATE TABLE regions (country TEXT, region TEXT);
    INSERT INTO regions VALUES ('DE', 'north'), ('FR', 'west'), ('IT', 'south')`);
  db.close();
}

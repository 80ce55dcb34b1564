import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';

const generator = join(import.meta.dirname, '../../examples/generate-access-log.mjs');
const { generateLog } = (await import(generator)) as {
  generateLog: (options: { lines: number; seed: number }) => string;
};

const files: Readonly<Record<string, string>> = {
  'notes.md':
    '# Notes\n\nThe harbour opens on Monday. Write to ann@example.com or bob@example.org.\n\n## Links\n\n- https://example.com\n\nTODO: call the crane.\n',
  'n.txt': 'one\ntwo\nthree\n',
  'letter.txt': 'Dear friend, it rains. The boats stay in. We wait for the sun. Yours, Ann.\n',
  'minutes.md':
    '# Minutes\n\nSeven people met. They spoke about the crane. The crane is too old.\n',
  'orders.csv':
    'id,customer,country,amount,date\n1,Ada,DE,10.50,2024-01-05\n2,Bo,FR,99.00,2024-01-09\n3,Cem,DE,45.25,2024-02-01\n4,Ada,IT,7.00,2024-03-11\n5,Dee,DE,120.00,2024-03-12\n6,Eve,FR,60.10,2024-04-01\n',
  'products.csv':
    'name,price,stock,category\nanchor,10.50,3,deck\nbuoy,4.00,12,deck\nrope,2.10,40,deck\nlamp,25.00,5,cabin\nstove,99.90,1,cabin\n',
  'people.json':
    '[{"name":"Ann","age":41,"city":"Oslo"},{"name":"Bob","age":29,"city":"Rome"},{"name":"Cem","age":35,"city":"Rome"}]\n',
  'src/main.py': '# TODO: tidy\nprint("hello")\n',
  'src/util.py': 'def add(a, b):\n    return a + b\n',
  'docs/guide.md': '# Guide\n\n## Start\n\nRead this first.\n\n## End\n\nTODO: write more.\n',
  'app.log':
    '2024-05-01 10:00:00 INFO started\n2024-05-01 10:00:05 ERROR disk full\n2024-05-01 10:01:00 WARN slow\n2024-05-01 10:02:00 ERROR disk full\n',
};

/** Writes the files that every task of the sheet has in its workspace. */
export function writeFixture(workspace: string): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), content);
  }
  writeFileSync(join(workspace, 'access.log'), generateLog({ lines: 200, seed: 7 }));
  const db = new Database(join(workspace, 'shop.db'));
  db.exec(`
    CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, country TEXT);
    CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER, amount REAL, day TEXT);
    INSERT INTO customers VALUES (1, 'Ann', 'NO'), (2, 'Bob', 'IT'), (3, 'Cem', 'IT');
    INSERT INTO orders VALUES (1, 1, 10.5, '2024-01-05'), (2, 2, 4, '2024-01-09'), (3, 3, 7.25, '2025-02-01'), (4, 1, 0.5, '2025-03-01');
  `);
  db.close();
}

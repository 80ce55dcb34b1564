import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newDatabase } from '../../../test/setup/temporary-database.ts';
import type { Db } from '../../db/open-database.ts';
import type { Embedder } from '../../embeddings/embedder.ts';
import { openStaticEmbedder } from '../../embeddings/static/static-table.ts';
import { noSecrets } from '../../policy/secrets/redact.ts';
import { toolbox } from '../../tools/toolbox.ts';
import { createRegistry, type Registry } from '../registry.ts';

const repoRoot = join(import.meta.dirname, '../../..');
const shipped = join(repoRoot, 'agents');

let dir: string;
let db: Db;
let embedder: Embedder;
let registry: Registry;
let problems: string[];
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'capstan-shipped-'));
  db = newDatabase(join(dir, 'capstan.db'));
  embedder = await openStaticEmbedder(join(repoRoot, 'models/static-en-256'));
  const roots = { shipped, personal: join(dir, 'agents') };
  registry = createRegistry({
    db,
    redactor: noSecrets,
    embedder,
    roots,
    tools: [...toolbox.values()],
  });
  ({ problems } = await registry.sync());
});
afterAll(async () => {
  await embedder.close();
  db.close();
  rmSync(dir, { recursive: true, force: true });
});

/** Tasks in other words than the manifests' examples. */
const paraphrases: Readonly<Record<string, readonly string[]>> = {
  'log-analyst': [
    'Find the ten slowest requests in examples/access.log',
    'Which 5 requests in server.log took the longest?',
    'In access.log, count the failed requests for each endpoint',
    'Group the errors in examples/access.log by endpoint',
    'Show how many 5xx responses each path had in logs/web.log',
    'Give me the top 20 client addresses of nginx.log',
    'What is the average duration per status code in access.log?',
    'List the requests in access.log that returned status 500',
  ],
  'table-analyst': [
    'Add up the revenue per region in sales.csv',
    'What is the average price by category in products.csv?',
    'Show the 3 customers with the highest total in orders.csv',
    'How many rows of people.tsv have an age over 40?',
    'Sort inventory.csv by quantity and keep the first ten rows',
    'Filter orders.csv to those of March and count them by country',
  ],
  'sql-analyst': [
    'Which tables does shop.db have?',
    'Query shop.sqlite for the five best customers by total order value',
    'Run `SELECT name FROM users WHERE active = 1` on app.db',
    'Show the schema of the database data/crm.sqlite3',
    'How many rows are in the table orders of shop.db?',
  ],
  'file-clerk': [
    'Save the findings as report.md',
    'Write a report to summary.txt with the results so far',
    'What files are there in the folder src, and how big are they?',
    'Look for the word "deprecated" in all files under lib/',
    'How many lines does CHANGELOG.md have?',
    'Put "version 2" at the end of notes.txt',
    'Make a copy of config.yaml named config.old.yaml',
  ],
  'web-reader': [
    'What does the page https://example.org/about say?',
    'Get https://example.com/release-notes and show me the text',
    'Tell me the title of http://localhost:8080/index.html',
    'Sum up the article at https://example.com/blog/post in five sentences',
    'Download the file at https://example.com/list.txt',
  ],
  'command-runner': [
    'Run `make test` and tell me what failed',
    'Execute the command `df -h`',
    'Run the tests with `pytest -q`',
    'Execute this Python script:\n```python\nprint(2 ** 10)\n```',
    'What is the output of `uname -a`?',
  ],
  summarizer: [
    'Give me a short summary of meeting.md',
    'Sum up README.md in three sentences',
    'What are the key points of proposal.txt?',
    'Shorten essay.md to five bullet points',
    'Summarise what was found so far',
  ],
};

/** Nothing that ships does this. */
const foreign = [
  'Book a flight to Lisbon for next Friday',
  'Compose a lullaby in D minor',
  'Draw a watercolour of a lighthouse',
  'What is the capital of Mongolia?',
  'Translate good morning into Japanese',
  'Wake me up at seven tomorrow',
  'Recommend a restaurant near me',
  'Transfer fifty dollars to my brother',
  'How tall is the Eiffel tower?',
  'Turn off the lights in the kitchen',
];

const isCapsule = (id: string): boolean => existsSync(join(shipped, id, 'manifest.json'));

test('every shipped capsule can be used', () => {
  const ids = readdirSync(shipped).filter(isCapsule);
  expect(problems).toEqual([]);
  expect(registry.list().map(({ id }) => id)).toEqual(ids);
});

describe.each(Object.keys(paraphrases))('%s gets the tasks that are its own', (id) => {
  test.each(paraphrases[id] ?? [])('%s', async (text) => {
    for (const model of [true, false]) {
      const { capsuleId, zone } = await registry.route(text, { model });
      expect(capsuleId).toBe(id);
      expect(zone).not.toBe('create');
    }
  });
});

test('a small lead goes to the judge, with the right capsule on the short list', async () => {
  const { zone, candidates } = await registry.route('Store the totals as totals.json', {
    model: true,
  });
  expect(zone).toBe('close');
  expect(candidates.map(({ capsuleId }) => capsuleId)).toContain('file-clerk');
});

test('each shipped capsule gets its own example tasks', async () => {
  const wrong: string[] = [];
  for (const { id, manifest } of registry.list()) {
    for (const text of new Set(manifest.task_kinds.flatMap(({ examples }) => examples))) {
      const route = await registry.route(text, { model: true });
      if (route.capsuleId !== id) wrong.push(`${id}: ${text} → ${route.capsuleId}`);
    }
  }
  expect(wrong).toEqual([]);
});

describe('a task that no shipped capsule can do is never taken without a judgement', () => {
  test.each(foreign)('%s', async (text) => {
    const { zone } = await registry.route(text, { model: true });
    expect(zone).not.toBe('take');
  });
});

describe('a shipped capsule gets no task that it is not able to do', () => {
  const readers = ['log-analyst', 'table-analyst', 'sql-analyst', 'summarizer', 'web-reader'];
  test.each([
    ['delete every file whose name has a date of 2024', readers],
    ['load orders.json into a new SQLite database', [...readers, 'file-clerk']],
    ['Remove the backups of last year in old/', readers],
  ])('%s', async (text, unable) => {
    const { candidates, zone } = await registry.route(text, { model: true });
    const found = candidates.map(({ capsuleId }) => capsuleId);
    expect(zone).not.toBe('create');
    expect(found).not.toEqual([]);
    expect(found.filter((id) => unable.includes(id))).toEqual([]);
  });

  test('and without a model, none that only its commands could do', async () => {
    const text = 'load orders.json into a new SQLite database';
    const { candidates, capsuleId } = await registry.route(text, { model: false });
    expect({ candidates, capsuleId }).toEqual({ candidates: [], capsuleId: undefined });
  });
});

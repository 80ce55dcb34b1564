import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtCommandLine } from '../programs/built-command-line.ts';
import { type Person, temporaryPerson } from '../setup/temporary-person.ts';
import {
  closePage,
  hasChromium,
  openBrowser,
  openPage,
  type Server,
  startServer,
  violationsOf,
} from './open-dashboard.ts';

const TASK = 'Count the rows of orders.csv by country, save them as rows.csv';

describe.skipIf(!hasChromium)('a replay that differs (needs chromium)', () => {
  let person: Person;
  let server: Server;
  let browser: Browser;
  let id: string;
  beforeAll(async () => {
    person = temporaryPerson();
    person.writeProject('orders.csv', 'id,country\n1,DE\n2,FR\n');
    const { project: cwd, environment } = person;
    const words = ['run', '--json', '--quiet', TASK];
    const { stdout } = await builtCommandLine(words, { cwd, environment });
    id = (JSON.parse(stdout) as { run_id: string }).run_id;
    const db = new Database(join(person.home, 'state/capstan.db'));
    const change = `UPDATE intents SET request = replace(request, 'rows.csv', 'sums.csv'), request_hash = 'other'
      WHERE run_id = ? AND request LIKE '%rows.csv%' AND kind = 'tool'`;
    expect(db.prepare(change).run(id).changes).toBeGreaterThan(0);
    db.close();
    const home = dirname(person.home);
    [server, browser] = await Promise.all([
      startServer({ cwd: person.project, home }),
      openBrowser(),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    server?.process.kill('SIGKILL');
    person.remove();
  });

  it('shows the first difference field by field', async () => {
    const { page, complaints } = await openPage(browser, server);
    await page.goto(`${server.url}/runs/${id}`);
    await page.getByRole('button', { name: 'Replay' }).click();
    await page.getByRole('heading', { name: 'The replay differs' }).waitFor();
    const card = page.locator('#difference');
    await card.getByText(/^First in subtask .*, attempt 1 of file-clerk, request/).waitFor();
    const changed = async (kind: string) =>
      card.locator(`tr.${kind} td:last-child`).allInnerTexts();
    expect(await changed('del')).toEqual(['args.path: "sums.csv"']);
    expect(await changed('add')).toEqual(['args.path: "rows.csv"']);
    expect(await violationsOf(page)).toEqual([]);
    await card.getByRole('button', { name: 'Close' }).click();
    await card.waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
    await closePage(page);
  });
});

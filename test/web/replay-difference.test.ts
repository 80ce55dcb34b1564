import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { dashboardSuite, writeShop } from './dashboard-suite.ts';
import { closePage, hasChromium, violationsOf } from './open-dashboard.ts';

const TASK = 'Count the rows of orders.csv by country, save them as rows.csv';

describe.skipIf(!hasChromium)('a replay that differs (needs chromium)', () => {
  let id: string;
  const dashboard = dashboardSuite(async (person, { startRun }) => {
    writeShop(person);
    id = await startRun(TASK);
    const db = new Database(join(person.home, 'state/capstan.db'));
    const change = `UPDATE intents SET request = replace(request, 'rows.csv', 'sums.csv'), request_hash = 'other'
      WHERE run_id = ? AND request LIKE '%rows.csv%' AND kind = 'tool'`;
    expect(db.prepare(change).run(id).changes).toBeGreaterThan(0);
    db.close();
  });

  it('shows the first difference field by field', async () => {
    const { page, complaints } = await dashboard.openPage();
    await page.goto(dashboard.at(`/runs/${id}`));
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

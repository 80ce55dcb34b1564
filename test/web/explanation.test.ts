import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { DEAF_MS, dashboardSuite, writeShop } from './dashboard-suite.ts';
import { closePage, hasChromium, type OpenPage } from './open-dashboard.ts';

const TASKS = ['two', 'four', 'six'].map((word) => `Replace "one" with "${word}" in notes.md`);

describe.skipIf(!hasChromium)('the explanation of a question (needs chromium)', () => {
  let runs: readonly string[];
  const dashboard = dashboardSuite(async (person, { startRun }) => {
    writeShop(person);
    runs = await Promise.all(TASKS.map((task) => startRun(task)));
  });
  let opened: OpenPage;
  let page: Page;
  beforeAll(async () => {
    opened = await dashboard.openPage();
    page = opened.page;
  });

  const explanation = () => page.locator('.explained');
  const openAt = async (path: string) => {
    await page.goto(dashboard.at(path));
    await page.getByRole('button', { name: 'Explain' }).waitFor();
    await page.waitForTimeout(DEAF_MS);
    await page.keyboard.press('e');
    await explanation().waitFor();
  };
  const expectGone = async () => {
    await explanation().waitFor({ state: 'detached' });
    await page.locator('h1').waitFor();
    expect(opened.complaints).toEqual([]);
  };

  it.each(['j', 'k', 'e', 's', 'g r'])('of the queue goes with %s', async (keys) => {
    await openAt('/approvals');
    // `k` needs a question above.
    if (keys === 'k') {
      await page.keyboard.press('j');
      await explanation().waitFor({ state: 'detached' });
      await page.keyboard.press('e');
      await explanation().waitFor();
    }
    for (const key of keys.split(' ')) await page.keyboard.press(key);
    await expectGone();
  });

  it('of the queue goes with a click on another question', async () => {
    await openAt('/approvals');
    await page.getByRole('region', { name: 'Queue' }).getByRole('link').last().click();
    await expectGone();
  });

  it.each(['e', 'n', 's'])('of a run goes with %s', async (key) => {
    await openAt(`/runs/${runs[0]}`);
    await page.keyboard.press(key);
    await expectGone();
    if (key === 'n') runs = runs.slice(1);
  });

  it.each(['n', 'y'])('of the queue goes with the answer %s', async (key) => {
    await openAt('/approvals');
    await page.keyboard.press(key);
    await expectGone();
  });

  it('is not the end of the page: an error is shown in its place, with a way to reload it', async () => {
    const broken = await dashboard.openPage();
    await broken.page.route('**/api/v1/costs?*', (route) => route.fulfill({ json: { rows: 1 } }));
    await broken.page.goto(dashboard.at('/cost'));
    const reload = broken.page.getByRole('button', { name: 'Reload' });
    await reload.waitFor();
    await broken.page.keyboard.press('g');
    await broken.page.keyboard.press('r');
    await broken.page.getByRole('heading', { name: 'Runs' }).waitFor();
    await broken.page.goto(dashboard.at('/cost'));
    await reload.waitFor();
    await broken.page.unroute('**/api/v1/costs?*');
    await reload.click();
    await broken.page.getByText('in total').waitFor();
    await closePage(broken.page);
  });
});

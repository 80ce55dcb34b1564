import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { DEAF_MS, dashboardSuite, writeShop } from './dashboard-suite.ts';
import { closePage, hasChromium, violationsOf } from './open-dashboard.ts';

/** Width of `1499. `, about. */
const NUMBER_PX = 44;
const FOLLOW_UP = 'Next task of this conversation';

describe.skipIf(!hasChromium)('the page of an ended run (needs chromium)', () => {
  const dashboard = dashboardSuite(writeShop);
  let page: Page;
  beforeAll(async () => {
    ({ page } = await dashboard.openPage());
  });

  const capstan = async (...args: string[]) => JSON.parse(await dashboard.capstan(...args));
  /** Shows a completed run with another answer. */
  const withAnswer = async (answer: string, use: (shown: Page) => Promise<void>) => {
    const { run_id: id } = await capstan('run', '--json', 'Count the rows of orders.csv');
    const { page: shown } = await dashboard.openPage();
    await shown.route(`**/api/v1/runs/${id}`, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), answer } });
    });
    await shown.goto(dashboard.at(`/runs/${id}`));
    await use(shown);
    await closePage(shown);
  };

  it('takes the next task of its session, and shows the new run', async () => {
    const { run_id: id } = await capstan('run', '--json', 'Count the rows of orders.csv');
    await page.goto(dashboard.at(`/runs/${id}`));
    await page.getByLabel(FOLLOW_UP).fill('List the files');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('heading', { name: 'List the files' }).waitFor();
    expect(page.url()).not.toContain(id);
    await page.locator('.meta').getByText('Completed').waitFor();
    expect(await page.getByLabel(FOLLOW_UP).inputValue()).toBe('');
    const newest = page.url().split('/').at(-1) ?? '';
    const sessions = await Promise.all(
      [id, newest].map((one) => capstan('runs', 'show', one, '--json')),
    );
    expect(new Set(sessions.map((one) => (one as { session_id?: string }).session_id)).size).toBe(
      1,
    );
  });

  it('that was denied takes no message that nothing reads, and can be resumed', async () => {
    await page.goto(dashboard.at('/?new'));
    await page.fill('#task', 'Replace "FR" with "IT" in orders.csv');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('button', { name: 'Deny once' }).waitFor();
    await page.waitForTimeout(DEAF_MS);
    await page.keyboard.press('n');
    await page.locator('.meta').getByText('Failed · denied').waitFor();
    await page.getByLabel(FOLLOW_UP).waitFor();
    expect(await page.getByLabel('Message to this run').count()).toBe(0);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('img', { name: /^pause: paused/ }).waitFor();
    await page.locator('#time').getByText('(ended)').waitFor();
  });

  it('folds a long answer, counts its list as written and within the card, and shows it all on request', async () => {
    const lines = Array.from(
      { length: 1_500 },
      (_, at) => `${at}. [link](javascript:alert(1)) and [ok](https://example.com)`,
    );
    await withAnswer(lines.join('\n'), async (shown) => {
      const items = shown.locator('.answer li');
      await items.first().waitFor();
      expect(await items.count()).toBeLessThan(60);
      expect(await shown.locator('.answer ol').getAttribute('start')).toBe('0');
      await shown.getByRole('button', { name: 'Show all 1,500 lines' }).click();
      expect(await items.count()).toBe(1_500);
      const padding = await shown.evaluate(
        `parseFloat(getComputedStyle(document.querySelector('.answer ol')).paddingInlineStart)`,
      );
      expect(padding).toBeGreaterThan(NUMBER_PX);
      const lineOf = (nth: number) =>
        shown.evaluate(
          `getComputedStyle(document.querySelectorAll('.answer a')[${nth}]).textDecorationLine`,
        );
      expect([await lineOf(0), await lineOf(1)]).toEqual(['none', 'underline']);
      await shown.getByRole('button', { name: 'Show less' }).click();
      expect(await violationsOf(shown)).toEqual([]);
    });
  });

  it('says before an undo which files are removed', async () => {
    const { run_id: id } = await capstan(
      ...['run', '--json', 'Count the rows of orders.csv by country, save them as rows.csv'],
    );
    await page.goto(dashboard.at(`/runs/${id}`));
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('1 file will be removed').waitFor();
  });
});

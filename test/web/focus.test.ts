import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { DEAF_MS, dashboardSuite, writeShop } from './dashboard-suite.ts';
import { hasChromium } from './open-dashboard.ts';

const PLAN = 'Replace "FR" with "IT" in orders.csv, then replace "two" with "three" in notes.md';

describe.skipIf(!hasChromium)('the focus of the keyboard (needs chromium)', () => {
  const dashboard = dashboardSuite(writeShop);
  let page: Page;
  beforeAll(async () => {
    ({ page } = await dashboard.openPage());
  });

  const focused = () =>
    page.evaluate<string>(`(({ tagName, ariaLabel, textContent }) =>
      tagName + ' ' + (ariaLabel ?? textContent).trim())(document.activeElement)`);
  const press = async (name: string | RegExp) => {
    await page.getByRole('button', { name, exact: true }).focus();
    await page.keyboard.press('Enter');
  };
  const expectFocus = (words: string | RegExp) => expect.poll(focused).toMatch(words);

  it('goes from Resume and from Stop to their group, where a second Enter does nothing, and a cancellation that is not wanted gives it back', async () => {
    const id = await dashboard.startRun('Replace "two" with "three" in notes.md');
    await page.goto(dashboard.at(`/runs/${id}`));
    await page.getByRole('button', { name: 'Allow once' }).waitFor();
    await press('Resume');
    await expectFocus('DIV Actions');
    await press('Stop');
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    await expectFocus('DIV Actions');
    await page.keyboard.press('Enter');
    const warning = page.getByText('A cancelled run ends for good.');
    for (const back of ['Escape', 'Keep']) {
      await press('Cancel run');
      await warning.waitFor();
      await expectFocus(/^SPAN A cancelled run/);
      if (back === 'Keep') await press('Keep');
      else await page.keyboard.press(back);
      await warning.waitFor({ state: 'detached' });
      await expectFocus('BUTTON Cancel run');
    }
    expect(await page.getByRole('button', { name: 'Stop', exact: true }).count()).toBe(0);
    await press('Cancel run');
    await warning.waitFor();
    await dashboard.capstan('runs', 'cancel', id, '--json');
    await page.locator('.meta').getByText('Cancelled').waitFor();
    expect(await warning.count()).toBe(0);
  });

  it('goes from Undo to its confirmation, and then to Redo', async () => {
    const { run_id: id } = JSON.parse(
      await dashboard.capstan(
        ...['run', '--json', 'Count the rows of orders.csv by country, save them as rows.csv'],
      ),
    ) as { run_id: string };
    await page.goto(dashboard.at(`/runs/${id}`));
    await press('Undo');
    await expectFocus(/^SPAN 1 file will be removed/);
    const named = page.locator('.undo [aria-labelledby]');
    expect(await named.getAttribute('role')).toBe('group');
    await page.keyboard.press('Escape');
    await expectFocus('BUTTON Undo');
    expect(await named.count()).toBe(0);
    await press('Undo');
    await press('Undo 1 file');
    await expectFocus('BUTTON Redo');
  });

  it('goes to the step after one that is removed, and the steps keep their numbers', async () => {
    const three = `${PLAN}, then list the files`;
    const id = await dashboard.startRun('--plan-first', three);
    await page.goto(dashboard.at(`/runs/${id}`));
    await press('Remove step 2');
    await page.getByText('2 of 3 steps are left.').waitFor();
    expect(await page.getByRole('button', { name: /^Remove step/ }).allTextContents()).toHaveLength(
      2,
    );
    await page.getByRole('button', { name: 'Remove step 3' }).waitFor();
    await expectFocus(/^TEXTAREA/i);
    await dashboard.capstan('runs', 'cancel', id, '--json');
  });

  it('returns from the form of a remembered answer, which selects the pattern, to its button', async () => {
    const id = await dashboard.startRun('Replace "two" with "three" in notes.md');
    await page.goto(dashboard.at(`/runs/${id}`));
    await page.getByRole('button', { name: 'Deny always' }).waitFor();
    await page.waitForTimeout(DEAF_MS);
    await page.keyboard.press('N');
    await page.keyboard.type('path:*.md');
    expect(await page.getByLabel('Pattern').inputValue()).toBe('path:*.md');
    await page.keyboard.press('Escape');
    await expectFocus(/^BUTTON Deny always/);
    await dashboard.capstan('runs', 'cancel', id, '--json');
  });

  it('sends no answer by key to a question below the window, and ends a remembered answer', async () => {
    const id = await dashboard.startRun('Replace "two" with "three" in notes.md');
    await page.setViewportSize({ width: 720, height: 180 });
    const card = page.locator('.ask');
    const unsent = page.getByText('Nothing was sent: the question was not in view.');
    for (const key of ['n', 'y', 'N']) {
      await page.goto(dashboard.at('/approvals'));
      await card.waitFor();
      await page.waitForTimeout(DEAF_MS);
      await page.keyboard.press(key);
      await unsent.waitFor();
      const { y = -1, height = 0 } = (await unsent.boundingBox()) ?? {};
      expect(y, key).toBeGreaterThan(0);
      expect(y + height, key).toBeLessThan(180);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.keyboard.press('N');
    await page.getByRole('button', { name: 'Store and deny' }).click();
    const kept = page.locator('li', { hasText: 'Deny file_io.edit path:notes.md' });
    await kept.getByRole('button', { name: 'End' }).click();
    await kept.waitFor({ state: 'detached' });
    await dashboard.capstan('runs', 'cancel', id, '--json');
  });
});

import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { duration } from '../../src/web/ui/lib/text/format.ts';
import { DEAF_MS, dashboardSuite, writeShop } from './dashboard-suite.ts';
import { hasChromium } from './open-dashboard.ts';

const TWO_STEPS = 'Replace "FR" with "IT" in orders.csv, then replace "DE" with "ES" in orders.csv';
const PARKED_MS = 1_500;

describe.skipIf(!hasChromium)('the state of a run (needs chromium)', () => {
  const dashboard = dashboardSuite(writeShop);
  let page: Page;
  beforeAll(async () => {
    ({ page } = await dashboard.openPage());
  });

  /** Starts a run whose plan is asked about. @returns Its path. */
  const startPlanned = async (): Promise<string> => {
    await page.goto(dashboard.at('/?new'));
    await page.fill('#task', TWO_STEPS);
    await page.getByLabel('Show me the plan first').check();
    await page.keyboard.press('Control+Enter');
    await page.waitForURL(/\/runs\/.+/);
    await page.locator('.meta').getByText('Waiting for you').waitFor();
    return new URL(page.url()).pathname;
  };

  it('is "waiting for you" on every page and in the terminal while a plan waits, and 0 of 2 after a no', async () => {
    const path = await startPlanned();
    expect(await dashboard.capstan('runs', 'show', 'last')).toContain(
      'running: waits for 1 answer',
    );
    await page.goto(dashboard.at(`/runs?text=${path.slice(-8)}+csv+REPLACE`));
    await page.locator(`a[href="${path}"]`).getByText('Waiting for you').waitFor();
    await page.getByRole('button', { name: 'Waiting for you' }).click();
    await page.waitForURL(/status=waiting/);
    await page.locator(`a[href="${path}"]`).waitFor();
    await page.goto(dashboard.at('/'));
    await page.getByRole('link', { name: 'All questions' }).waitFor();
    await page.locator(`a.live[href="${path}"]`).getByLabel('Waiting for you').waitFor();
    await page.goto(dashboard.at(path));
    await page.getByRole('button', { name: 'Drop the plan' }).waitFor();
    await page.waitForTimeout(DEAF_MS);
    await page.keyboard.press('n');
    await page.locator('.meta').getByText('Cancelled').waitFor();
    await page.locator('.meta').getByText('0 of 2 steps').waitFor();
    await page.goto(dashboard.at('/runs?status=waiting'));
    await page.getByText('No run matches these filters.').waitFor();
  });

  it('is "failed, expired" once the deadline of its question has passed, which is shown as a denial', async () => {
    // At 200 %: the answers are at the end of the window.
    await page.setViewportSize({ width: 720, height: 450 });
    await page.goto(dashboard.at('/approvals'));
    await page.getByText('Nothing waits for you.').first().waitFor();
    const withDeadline = { CAPSTAN_APPROVAL_DEADLINE_SEC: '3' };
    const args = ['run', '--json', '--quiet', 'Replace "FR" with "IT" in orders.csv'];
    const { run_id: id } = JSON.parse(await dashboard.capstanWith(withDeadline, ...args));
    const closed = page.locator('.gone li', { hasText: 'Expired: denied' });
    await closed.waitFor();
    expect(await closed.locator('.mark.good').count()).toBe(0);
    const toast = page.locator('.toast', { hasText: 'Expired: denied' });
    await toast.waitFor();
    expect((await toast.boundingBox())?.y).toBeLessThan(40);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(dashboard.at(`/runs/${id}`));
    await page.locator('.meta').getByText('Failed · expired').waitFor();
    const lane = page.locator('.lane', { has: page.locator('.f-person') });
    await lane.waitFor();
    expect(await lane.getAttribute('aria-label')).toMatch(/you \d/);
    const waited = await lane.locator('.f-person').boundingBox();
    for (const box of await lane.locator('.f-tool').all())
      expect((await box.boundingBox())?.width).toBeLessThan((waited?.width ?? 0) / 4);
  });

  it('shows each change and each chosen capsule while the run goes on', async () => {
    dashboard.person.writeProject('a.txt', 'one\n');
    const id = await dashboard.startRun(
      'Replace "one" with "two" in a.txt and notes.md. List the files.',
    );
    await page.goto(dashboard.at(`/runs/${id}`));
    await page.getByRole('heading', { name: 'change a.txt?' }).waitFor();
    const routed = page.locator('#routing .receipt');
    await routed.first().waitFor();
    expect(await routed.count()).toBe(1);
    await page.waitForTimeout(DEAF_MS);
    await page.keyboard.press('y');
    await page.getByRole('heading', { name: 'change notes.md?' }).waitFor();
    await page.locator('#changes').getByText('a.txt').first().waitFor();
    await page.waitForTimeout(DEAF_MS);
    await page.keyboard.press('y');
    await page.locator('.meta').getByText('Completed').waitFor();
    await page.locator('#changes').getByText('notes.md').first().waitFor();
    await routed.nth(1).waitFor();
  });

  it('took as long on the page as in the terminal, without the time in which it was parked', async () => {
    const beganMs = performance.now();
    const id = await dashboard.startRun('Replace "FR" with "IT" in orders.csv');
    await new Promise((resolve) => setTimeout(resolve, PARKED_MS));
    await page.goto(dashboard.at(`/runs/${id}`));
    await page.getByRole('button', { name: 'Allow once' }).waitFor();
    await page.waitForTimeout(DEAF_MS);
    await page.keyboard.press('y');
    await page.locator('.meta').getByText('Completed').waitFor();
    const shown = await dashboard.capstan('runs', 'show', id, '--json');
    const { duration_ms: ms } = JSON.parse(shown) as { duration_ms: number };
    expect(ms).toBeLessThan(performance.now() - beganMs - PARKED_MS);
    await page.locator('.meta').getByText(duration(ms), { exact: true }).waitFor();
  });
});

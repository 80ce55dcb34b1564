import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dashboardSuite, writeShop } from './dashboard-suite.ts';
import { closePage, hasChromium, openBrowser, violationsOf } from './open-dashboard.ts';

describe.skipIf(!hasChromium)('the dashboard (needs chromium)', () => {
  /** A run that waits for a question. */
  let waiting: string;
  const dashboard = dashboardSuite(async (person, { startRun }) => {
    writeShop(person);
    await startRun('Count the rows of orders.csv by country, save them as rows.csv');
    waiting = await startRun('Replace "FR" with "IT" in orders.csv');
  });

  it.each([
    ['light', 1440],
    ['dark', 360],
  ] as const)('is accessible on every page: %s, %i px', async (theme, width) => {
    const { page, complaints } = await dashboard.openPage({ theme, width });
    const places = ['/', '/approvals', '/runs', `/runs/${waiting}`, '/capsules'];
    for (const place of [...places, '/capsules/file-clerk', '/cost', '/health']) {
      await page.goto(dashboard.at(place));
      await page.waitForSelector('h1', { state: 'attached' });
      await page.waitForTimeout(600);
      expect(await violationsOf(page), place).toEqual([]);
      const overflow = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect(overflow, place).toBeLessThanOrEqual(0);
    }
    expect(complaints).toEqual([]);
    await closePage(page);
  });

  it('answers a question by key, and the run continues', async () => {
    const { page, complaints } = await dashboard.openPage();
    await page.goto(dashboard.at('/approvals'));
    await page.getByRole('button', { name: 'Allow once' }).waitFor();
    expect(await page.title()).toBe('(1) Approvals · Capstan');
    // A key right after the card appeared is not meant for it.
    await page.waitForTimeout(500);
    await page.keyboard.press('y');
    await page.getByText('Nothing waits for you.').first().waitFor();
    await page.goto(dashboard.at(`/runs/${waiting}`));
    await page.locator('.meta').getByText('Completed').waitFor();
    await page.locator('#requests').getByText('Asked: allowed in the dashboard').waitFor();
    expect(readFileSync(join(dashboard.person.project, 'orders.csv'), 'utf8')).toContain('2,IT');
    expect(complaints).toEqual([]);
    await closePage(page);
  });

  it('counts the tasks that a capsule took on, and says that declined ones are not among them', async () => {
    await dashboard.capstan('run', '--json', '--capsule', 'table-analyst', 'Dance a waltz');
    const { page } = await dashboard.openPage();
    await page.goto(dashboard.at('/capsules'));
    await page.getByText('Tasks that a capsule declined are not counted.').waitFor();
    await page.goto(dashboard.at('/capsules/table-analyst'));
    const figures = page.locator('.figs > div');
    await expect.poll(() => figures.allInnerTexts()).toContain('Tasks taken on\n1');
    expect(await figures.allInnerTexts()).toContain('Completed\n100.0 %');
    await closePage(page);
  });

  it('keeps Ctrl and S from the browser, also while they are held', async () => {
    const { page } = await dashboard.openPage();
    await page.goto(dashboard.at('/capsules/file-clerk'));
    await page.getByLabel('Overlay, Markdown').focus();
    await page.evaluate(`addEventListener('keydown', ({ key, repeat, defaultPrevented }) => {
      if (key === 's') (window.held ??= []).push({ repeat, defaultPrevented });
    })`);
    for (const key of ['Control', 's', 's']) await page.keyboard.down(key);
    expect(await page.evaluate('window.held')).toEqual([
      { repeat: false, defaultPrevented: true },
      { repeat: true, defaultPrevented: true },
    ]);
    await closePage(page);
  });

  it('starts a run, survives kill -9 of the server, and shows the end without another sign-in', async () => {
    const { page } = await dashboard.openPage();
    await page.goto(dashboard.at('/?new'));
    await page.fill('#task', 'Replace "two" with "three" in notes.md');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('button', { name: 'Allow once' }).waitFor();
    await page.route('**/stop', (route) => route.abort());
    await page.getByRole('button', { name: 'Stop' }).click();
    const refusal = page.getByText(
      'Capstan does not respond. Check that `capstan serve` is running.',
      { exact: true },
    );
    await refusal.waitFor();
    dashboard.server.process.kill('SIGKILL');
    await page.getByText('Not connected.').waitFor();
    expect(await page.getByRole('button', { name: 'Stop' }).isDisabled()).toBe(true);
    const bar = await page.locator('.off').boundingBox();
    const crumb = await page.locator('.crumb').boundingBox();
    expect((bar?.y ?? 0) + (bar?.height ?? 0)).toBeLessThanOrEqual(crumb?.y ?? 0);
    await dashboard.startAgain();
    await page.getByText('Not connected.').waitFor({ state: 'detached' });
    await refusal.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Allow once' }).waitFor();
    await page.waitForTimeout(500);
    await page.keyboard.press('y');
    await page.locator('.meta').getByText('Completed').waitFor();
    expect(readFileSync(join(dashboard.person.project, 'notes.md'), 'utf8')).toBe('one\nthree\n');
    await page.getByRole('button', { name: 'Replay' }).click();
    await page.getByText('The replay is identical.').waitFor();
    await closePage(page);
  });

  it('shows nothing without the token', async () => {
    expect((await fetch(dashboard.at('/api/v1/overview'))).status).toBe(401);
    const context = await (await openBrowser()).newContext();
    const page = await context.newPage();
    await page.goto(dashboard.at('/'));
    await page.getByText('Open the dashboard with the link that the server prints.').waitFor();
    const { x = 0, width = 0 } = (await page.locator('main').boundingBox()) ?? {};
    expect(Math.abs(x + width / 2 - (page.viewportSize()?.width ?? 0) / 2)).toBeLessThan(20);
    await context.close();
  });

  it('asks for a new link once its token is revoked, and signs in with it in the same tab', async () => {
    const { page } = await dashboard.openPage();
    await page.goto(dashboard.at('/'));
    await page.locator('#task').waitFor();
    await dashboard.capstan('serve', '--revoke', '--json');
    await page.goto(dashboard.at('/'));
    await page.getByText('Open the dashboard with the link that the server prints.').waitFor();
    const link = await dashboard.capstan('serve', '--no-open');
    await page.goto(link.trim());
    await page.locator('#task').waitFor();
    expect(new URL(page.url()).hash).toBe('');
    await closePage(page);
  });
});

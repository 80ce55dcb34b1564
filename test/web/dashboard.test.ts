import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtCommandLine } from '../programs/built-command-line.ts';
import {
  closePage,
  hasChromium,
  openBrowser,
  openPage,
  type Server,
  startServer,
  violationsOf,
} from './open-dashboard.ts';

describe.skipIf(!hasChromium)('the dashboard (needs chromium)', () => {
  let home: string;
  let cwd: string;
  let server: Server;
  let browser: Browser;
  /** A run that waits for a question. */
  let waiting: string;

  const capstanText = (...args: string[]) => {
    const environment = {
      PATH: process.env['PATH'],
      HOME: home,
      CAPSTAN_HOME: join(home, 'capstan'),
    };
    return builtCommandLine(args, { cwd, environment });
  };
  const capstan = async (...args: string[]): Promise<{ run_id: string; status: string }> =>
    JSON.parse((await capstanText(...args)).stdout);

  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'capstan-web-'));
    cwd = join(home, 'shop');
    mkdirSync(cwd);
    writeFileSync(join(cwd, 'orders.csv'), 'id,country\n1,DE\n2,FR\n3,DE\n');
    writeFileSync(join(cwd, 'notes.md'), 'one\ntwo\n');
    await capstan(
      'run',
      '--json',
      'Count the rows of orders.csv by country, save them as rows.csv',
    );
    const asked = await capstan('run', '--json', 'Replace "FR" with "IT" in orders.csv');
    waiting = asked.run_id;
    [server, browser] = await Promise.all([startServer({ cwd, home }), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    server?.process.kill('SIGKILL');
    rmSync(home, { recursive: true, force: true });
  });

  it.each([
    ['light', 1440],
    ['dark', 360],
  ] as const)('is accessible on every page: %s, %i px', async (theme, width) => {
    const { page, complaints } = await openPage(browser, server, { theme, width });
    const places = ['/', '/approvals', '/runs', `/runs/${waiting}`, '/capsules'];
    for (const place of [...places, '/capsules/file-clerk', '/cost', '/health']) {
      await page.goto(server.url + place);
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
    const { page, complaints } = await openPage(browser, server);
    await page.goto(`${server.url}/approvals`);
    await page.getByRole('button', { name: 'Allow once' }).waitFor();
    expect(await page.title()).toBe('(1) Approvals · Capstan');
    // A key right after the card appeared is not meant for it.
    await page.waitForTimeout(500);
    await page.keyboard.press('y');
    await page.getByText('Nothing waits for you.').first().waitFor();
    await page.goto(`${server.url}/runs/${waiting}`);
    await page.locator('.meta').getByText('Completed').waitFor();
    await page.locator('#requests').getByText('Asked: allowed in the dashboard').waitFor();
    expect(readFileSync(join(cwd, 'orders.csv'), 'utf8')).toContain('2,IT');
    expect(complaints).toEqual([]);
    await closePage(page);
  });

  it('keeps Ctrl and S from the browser, also while they are held', async () => {
    const { page } = await openPage(browser, server);
    await page.goto(`${server.url}/capsules/file-clerk`);
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
    const { page } = await openPage(browser, server);
    await page.goto(`${server.url}/?new`);
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
    server.process.kill('SIGKILL');
    await page.getByText('Not connected.').waitFor();
    expect(await page.getByRole('button', { name: 'Stop' }).isDisabled()).toBe(true);
    const bar = await page.locator('.off').boundingBox();
    const crumb = await page.locator('.crumb').boundingBox();
    expect((bar?.y ?? 0) + (bar?.height ?? 0)).toBeLessThanOrEqual(crumb?.y ?? 0);
    server = { ...(await startServer({ cwd, home }, Number(new URL(server.url).port))) };
    await page.getByText('Not connected.').waitFor({ state: 'detached' });
    await refusal.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Allow once' }).waitFor();
    await page.waitForTimeout(500);
    await page.keyboard.press('y');
    await page.locator('.meta').getByText('Completed').waitFor();
    expect(readFileSync(join(cwd, 'notes.md'), 'utf8')).toBe('one\nthree\n');
    await page.getByRole('button', { name: 'Replay' }).click();
    await page.getByText('The replay is identical.').waitFor();
    await closePage(page);
  });

  it('shows nothing without the token', async () => {
    expect((await fetch(`${server.url}/api/v1/overview`)).status).toBe(401);
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(server.url);
    await page.getByText('Open the dashboard with the link that the server prints.').waitFor();
    const { x = 0, width = 0 } = (await page.locator('main').boundingBox()) ?? {};
    expect(Math.abs(x + width / 2 - (page.viewportSize()?.width ?? 0) / 2)).toBeLessThan(20);
    await context.close();
  });

  it('asks for a new link once its token is revoked, and signs in with it in the same tab', async () => {
    const { page } = await openPage(browser, server);
    await page.goto(server.url);
    await page.locator('#task').waitFor();
    await capstan('serve', '--revoke', '--json');
    await page.goto(`${server.url}/`);
    await page.getByText('Open the dashboard with the link that the server prints.').waitFor();
    const { stdout: link } = await capstanText('serve', '--no-open');
    await page.goto(link.trim());
    await page.locator('#task').waitFor();
    expect(new URL(page.url()).hash).toBe('');
    await closePage(page);
  });
});

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtCommandLine } from '../programs/built-command-line.ts';
import {
  closePage,
  hasChromium,
  openBrowser,
  openPage,
  type Server,
  startServer,
} from './open-dashboard.ts';

/** A key or click right after a card appeared is not meant for it. */
const DEAF_MS = 500;
const HIDDEN_POLL_MS = 15_000;

/** Chromium without a window shows every tab: this is what another tab in front does to the page. */
const hide = (page: Page, isHidden: boolean): Promise<unknown> =>
  page.evaluate(`
    Object.defineProperty(document, 'hidden', { configurable: true, value: ${isHidden} });
    document.dispatchEvent(new Event('visibilitychange'));`);

describe.skipIf(!hasChromium)('several tabs (needs chromium)', () => {
  let home: string;
  let cwd: string;
  let server: Server;
  let browser: Browser;

  const startRun = async (task: string) => {
    const environment = {
      PATH: process.env['PATH'],
      HOME: home,
      CAPSTAN_HOME: join(home, 'capstan'),
    };
    const { stdout } = await builtCommandLine(['run', '--json', task], { cwd, environment });
    return String(JSON.parse(stdout).run_id);
  };
  const openAt = async (place: string) => {
    const { page } = await openPage(browser, server);
    await page.goto(server.url + place);
    await page.waitForSelector('h1');
    return page;
  };

  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'capstan-tabs-'));
    cwd = join(home, 'shop');
    mkdirSync(cwd);
    for (const name of ['a', 'b', 'c', 'd', 'e']) writeFileSync(join(cwd, `${name}.txt`), 'one\n');
    [server, browser] = await Promise.all([startServer({ cwd, home }), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    server?.process.kill('SIGKILL');
    rmSync(home, { recursive: true, force: true });
  });

  it('a question is answered while five tabs show runs', async () => {
    const pages: Page[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'e'])
      pages.push(
        await openAt(`/runs/${await startRun(`Replace "one" with "two" in ${name}.txt`)}`),
      );
    const [first] = pages as [Page];
    const allow = first.getByRole('button', { name: 'Allow once' });
    await allow.waitFor();
    await first.waitForTimeout(DEAF_MS);
    await allow.click();
    await first.locator('.meta').getByText('Completed').waitFor();
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('two\n');
    for (const page of pages) await closePage(page);
  });

  it('a tab that is not shown reads no stream, and is up to date when it is shown again', async () => {
    const page = await openAt('/');
    await page.getByText('Connected', { exact: true }).waitFor();
    const left = page.waitForEvent('requestfailed', (one) => one.url().endsWith('/stream'));
    await hide(page, true);
    await left;
    await page.waitForTimeout(DEAF_MS);
    const id = await startRun('Write the text hello to hello.txt');
    expect(await page.locator(`a[href="/runs/${id}"]`).count()).toBe(0);
    await hide(page, false);
    await page.locator(`a[href="/runs/${id}"]`).first().waitFor();
    await page.getByText('Connected', { exact: true }).waitFor();
    await closePage(page);
  });

  it('a tab that is not shown notifies a person who allowed it of a question', async () => {
    const { page } = await openPage(browser, server);
    await page.context().grantPermissions(['notifications'], { origin: server.url });
    await page.clock.install();
    await page.addInitScript(`
      window.notified = [];
      window.Notification = class extends Notification {
        constructor(words, options) { super(words, options); notified.push(words); }
      };`);
    await page.goto(`${server.url}/approvals`);
    await page.getByText('Notifications are on').waitFor();
    await hide(page, true);
    await startRun('Replace "one" with "three" in b.txt');
    await page.clock.fastForward(HIDDEN_POLL_MS);
    await expect.poll(() => page.evaluate('notified')).toEqual([expect.stringMatching(/wait/)]);
    await closePage(page);
  });
});

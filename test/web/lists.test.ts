import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, openBrowser, openPage, type Server, startServer } from './open-dashboard.ts';
import { observeSpeed, speedOf } from './page-speed.ts';
import { openPastRuns } from './past-runs.ts';

const launcher = join(import.meta.dirname, '../../bin/capstan.js');

describe.skipIf(!hasChromium)('the dashboard with much to show (needs chromium)', () => {
  let home: string;
  let server: Server;
  let browser: Browser;
  /** Oldest first. */
  let many: readonly string[];

  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'capstan-lists-'));
    const cwd = join(home, 'shop');
    mkdirSync(cwd);
    writeFileSync(join(cwd, 'orders.csv'), 'id,country\n1,DE\n2,FR\n');
    const env = { PATH: process.env['PATH'], HOME: home, CAPSTAN_HOME: join(home, 'capstan') };
    const task = 'Count the rows of orders.csv by country';
    execFileSync(process.execPath, [launcher, 'run', '--json', task], { cwd, env });
    const past = openPastRuns(join(home, 'capstan'));
    many = past.addMany(3_000);
    past.close();
    [server, browser] = await Promise.all([startServer({ cwd, home }), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    server?.process.kill('SIGKILL');
    rmSync(home, { recursive: true, force: true });
  });

  /** A page that has been open once, so that its program is compiled. */
  async function openWarm(place: string): Promise<Page> {
    const { page } = await openPage(browser, server);
    await observeSpeed(page);
    for (let at = 0; at < 2; at++) {
      await page.goto(server.url + place);
      await page.locator('h1').first().waitFor({ state: 'attached' });
      await page.waitForTimeout(1_500);
    }
    return page;
  }

  it('scrolls through 3,000 runs, draws only those that are near, and moves nothing', async () => {
    const page = await openWarm('/runs');
    await page.mouse.move(700, 500);
    const oldest = page.locator(`a[href="/runs/${many[0]}"]`);
    for (let turn = 0; turn < 600 && (await oldest.count()) === 0; turn++) {
      await page.mouse.wheel(0, 600);
      await page.waitForTimeout(30);
    }
    expect(await oldest.count()).toBe(1);
    expect(await page.locator('.lines > li').count()).toBeLessThan(80);
    expect((await speedOf(page)).shift).toBe(0);
    await page.context().close();
  }, 120_000);
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
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
import { observeSpeed, type PageSpeed, speedOf } from './page-speed.ts';
import { openPastRuns } from './past-runs.ts';

/** The goal is 50 ms; the rest is a tolerance for a busy machine. */
const LONG_MS = 300;

/** Placing 60 steps once; the drawing then uses the reserved space, except for some pixels. */
const WITH_GRAPH = { longMs: 700, shift: 0.02 };

/** No task was long, and nothing moved. */
function expectFluid(
  { longTasks, shift }: PageSpeed,
  limits = { longMs: LONG_MS, shift: 0.002 },
): void {
  expect(longTasks.filter((ms) => ms > limits.longMs)).toEqual([]);
  expect(shift).toBeLessThan(limits.shift);
}

describe.skipIf(!hasChromium)('the dashboard with much to show (needs chromium)', () => {
  let home: string;
  let server: Server;
  let browser: Browser;
  /** Oldest first. */
  let many: readonly string[];
  let large: string;

  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'capstan-lists-'));
    const cwd = join(home, 'shop');
    mkdirSync(cwd);
    writeFileSync(join(cwd, 'orders.csv'), 'id,country\n1,DE\n2,FR\n');
    const environment = {
      PATH: process.env['PATH'],
      HOME: home,
      CAPSTAN_HOME: join(home, 'capstan'),
    };
    const task = 'Count the rows of orders.csv by country';
    const { exitCode } = await builtCommandLine(['run', '--json', task], { cwd, environment });
    expect(exitCode).toBe(0);
    const past = openPastRuns(join(home, 'capstan'));
    large = past.addLarge({ events: 2_000, steps: 60 });
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
    // Only the second time is measured: the first lasts until the page has drawn itself.
    for (const restMs of [300, 1_000]) {
      await page.goto(server.url + place);
      await page.locator('h1').first().waitFor({ state: 'attached' });
      await page.waitForTimeout(restMs);
    }
    return page;
  }

  it('scrolls through 3,000 runs without a long task or a layout shift, and draws only near rows', async () => {
    const page = await openWarm('/runs');
    await page.mouse.move(700, 500);
    const oldest = page.locator(`a[href="/runs/${many[0]}"]`);
    for (let turn = 0; turn < 600 && (await oldest.count()) === 0; turn++) {
      await page.mouse.wheel(0, 4_000);
      await page.waitForTimeout(30);
    }
    expect(await oldest.count()).toBe(1);
    expect(await page.locator('.lines > li').count()).toBeLessThan(80);
    expectFluid(await speedOf(page));
    await closePage(page);
  });

  it('opens a run of 2,000 events and 60 steps, the drawing of its plan apart, without a long task', async () => {
    const page = await openWarm(`/runs/${large}`);
    await page.getByText('60').first().waitFor();
    expectFluid(await speedOf(page), WITH_GRAPH);
    const requests = page.locator('.reqs > li');
    expect(await requests.count()).toBe(60);
    await page.getByRole('button', { name: 'Show 60 older of 440' }).click();
    expect(await requests.count()).toBe(120);
    const oldest = `r-${large}-4`;
    await page.goto(`${server.url}/runs/${large}#${oldest}`);
    await page.reload();
    await page.locator(`[id="${oldest}"] details[open]`).waitFor();
    await closePage(page);
  });

  it.each(['/', '/approvals', '/capsules', '/capsules/file-clerk', '/cost', '/health'])(
    'opens %s without a long task, and nothing moves',
    async (place) => {
      const page = await openWarm(place);
      expectFluid(await speedOf(page));
      await closePage(page);
    },
  );

  it('loads at most 110 kB compressed before the first page is shown', async () => {
    const { page } = await openPage(browser, server);
    const startedAt = performance.now();
    await page.goto(server.url);
    await page.locator('#task').waitFor();
    // The goal is one second on an idle machine.
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    const loaded = await page.evaluate<string[]>(
      `performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => /\\.(js|css)$/.test(name))`,
    );
    let bytes = 0;
    for (const url of [server.url, ...loaded]) {
      bytes += gzipSync(await (await fetch(url)).text()).length;
    }
    expect(bytes).toBeGreaterThan(80_000);
    expect(bytes).toBeLessThanOrEqual(110 * 1024);
    await closePage(page);
  });
});

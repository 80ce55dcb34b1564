import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { builtCommandLine } from '../programs/built-command-line.ts';
import { startWaitClock } from '../setup/fair-clock.ts';
import { dashboardSuite, writeShop } from './dashboard-suite.ts';
import { closePage, hasChromium } from './open-dashboard.ts';
import { observeSpeed, speedOf } from './page-speed.ts';
import { openPastRuns } from './past-runs.ts';

/** The goal is 50 ms; the rest is a tolerance for a busy machine. */
const LONG_MS = 300;

/** Placing 60 steps once; the drawing then uses the reserved space, except for some pixels. */
const WITH_GRAPH = { longMs: 700, shift: 0.02 };

/** A page that is measured, and how long its process waited for a processor since it began to load. */
interface Warm {
  readonly page: Page;
  readonly waitedMs: () => number;
}

/** No task was long, the wait for a processor apart, and nothing moved. */
async function expectFluid(
  { page, waitedMs }: Warm,
  limits = { longMs: LONG_MS, shift: 0.002 },
): Promise<void> {
  const { longTasks, shift } = await speedOf(page);
  const excess = longTasks.reduce((sum, ms) => sum + Math.max(0, ms - limits.longMs), 0);
  expect(excess, `long tasks: ${longTasks}`).toBeLessThanOrEqual(waitedMs());
  expect(shift).toBeLessThan(limits.shift);
}

describe.skipIf(!hasChromium)('the dashboard with much to show (needs chromium)', () => {
  /** Oldest first. */
  let many: readonly string[];
  let large: string;
  const dashboard = dashboardSuite(async (person) => {
    writeShop(person);
    const { environment, project: cwd } = person;
    const task = 'Count the rows of orders.csv by country';
    const { exitCode } = await builtCommandLine(['run', '--json', task], { cwd, environment });
    expect(exitCode).toBe(0);
    const past = openPastRuns(person.home);
    large = past.addLarge({ events: 2_000, steps: 60 });
    many = past.addMany(3_000);
    past.close();
  });

  /** A page that has been open once, so that its program is compiled. */
  async function openWarm(place: string): Promise<Warm> {
    const { page } = await dashboard.openPage();
    await observeSpeed(page);
    const open = async (restMs: number) => {
      await page.goto(dashboard.at(place));
      await page.locator('h1').first().waitFor({ state: 'attached' });
      await page.waitForTimeout(restMs);
    };
    // Only the second time is measured: the first lasts until the page has drawn itself.
    await open(300);
    const waitedMs = startWaitClock(await dashboard.renderers());
    await open(1_000);
    return { page, waitedMs };
  }

  it('scrolls through 3,000 runs without a long task or a layout shift, and draws only near rows', async () => {
    const warm = await openWarm('/runs');
    const { page } = warm;
    await page.mouse.move(700, 500);
    const oldest = page.locator(`a[href="/runs/${many[0]}"]`);
    for (let turn = 0; turn < 600 && (await oldest.count()) === 0; turn++) {
      await page.mouse.wheel(0, 4_000);
      await page.waitForTimeout(30);
    }
    expect(await oldest.count()).toBe(1);
    expect(await page.locator('.lines > li').count()).toBeLessThan(80);
    await expectFluid(warm);
    await closePage(page);
  });

  it('opens a run of 2,000 events and 60 steps, the drawing of its plan apart, without a long task', async () => {
    const warm = await openWarm(`/runs/${large}`);
    const { page } = warm;
    await page.getByText('60').first().waitFor();
    await expectFluid(warm, WITH_GRAPH);
    const requests = page.locator('.reqs > li');
    expect(await requests.count()).toBe(60);
    await page.getByRole('button', { name: 'Show 60 older of 440' }).click();
    expect(await requests.count()).toBe(120);
    const oldest = `r-${large}-4`;
    await page.goto(dashboard.at(`/runs/${large}#${oldest}`));
    await page.reload();
    await page.locator(`[id="${oldest}"] details[open]`).waitFor();
    await closePage(page);
  });

  it.each(['/', '/approvals', '/capsules', '/capsules/file-clerk', '/cost', '/health'])(
    'opens %s without a long task, and nothing moves',
    async (place) => {
      const warm = await openWarm(place);
      const { page } = warm;
      await expectFluid(warm);
      await closePage(page);
    },
  );

  it('loads at most 110 kB compressed before the first page is shown', async () => {
    const { page } = await dashboard.openPage();
    const startedAt = performance.now();
    await page.goto(dashboard.at('/'));
    await page.locator('#task').waitFor();
    // The goal is one second on an idle machine.
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    const loaded = await page.evaluate<string[]>(
      `performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => /\\.(js|css)$/.test(name))`,
    );
    let bytes = 0;
    for (const url of [dashboard.server.url, ...loaded]) {
      bytes += gzipSync(await (await fetch(url)).text()).length;
    }
    expect(bytes).toBeGreaterThan(80_000);
    expect(bytes).toBeLessThanOrEqual(110 * 1024);
    await closePage(page);
  });
});

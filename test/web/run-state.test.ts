import { dirname } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { duration } from '../../src/web/ui/lib/text/format.ts';
import { builtCommandLine } from '../programs/built-command-line.ts';
import { type Person, temporaryPerson } from '../setup/temporary-person.ts';
import { hasChromium, openBrowser, openPage, type Server, startServer } from './open-dashboard.ts';

const TWO_STEPS = 'Replace "FR" with "IT" in orders.csv, then replace "DE" with "ES" in orders.csv';
/** A key or click right after a card appeared is not meant for it. */
const DEAF_MS = 500;
const PARKED_MS = 1_500;

describe.skipIf(!hasChromium)('the state of a run (needs chromium)', () => {
  let person: Person;
  let server: Server;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    person = temporaryPerson();
    person.writeProject('orders.csv', 'id,country\n1,DE\n2,FR\n');
    const place = { cwd: person.project, home: dirname(person.home) };
    [server, browser] = await Promise.all([startServer(place), openBrowser()]);
    ({ page } = await openPage(browser, server));
  });
  afterAll(async () => {
    await browser?.close();
    server?.process.kill('SIGKILL');
    person.remove();
  });

  const capstan = async (...args: string[]): Promise<string> => {
    const { project: cwd, environment } = person;
    return (await builtCommandLine(args, { cwd, environment })).stdout;
  };
  /** Starts a run whose plan is asked about. @returns Its path. */
  const startPlanned = async (): Promise<string> => {
    await page.goto(`${server.url}/?new`);
    await page.fill('#task', TWO_STEPS);
    await page.getByLabel('Show me the plan first').check();
    await page.keyboard.press('Control+Enter');
    await page.waitForURL(/\/runs\/.+/);
    await page.locator('.meta').getByText('Waiting for you').waitFor();
    return new URL(page.url()).pathname;
  };

  it('is "waiting for you" on every page and in the terminal while a plan waits, and 0 of 2 after a no', async () => {
    const path = await startPlanned();
    expect(await capstan('runs', 'show', 'last')).toContain('running: waits for 1 answer');
    await page.goto(`${server.url}/runs`);
    await page.locator(`a[href="${path}"]`).getByText('Waiting for you').waitFor();
    await page.goto(server.url);
    await page.locator(`a.live[href="${path}"]`).getByLabel('Waiting for you').waitFor();
    await page.goto(server.url + path);
    await page.getByRole('button', { name: 'Drop the plan' }).waitFor();
    await page.waitForTimeout(DEAF_MS);
    await page.keyboard.press('n');
    await page.locator('.meta').getByText('Cancelled').waitFor();
    await page.locator('.meta').getByText('0 of 2 steps').waitFor();
  });

  it('is "failed, expired" once the deadline of its question has passed, which is shown as a denial', async () => {
    await page.goto(`${server.url}/approvals`);
    await page.getByText('Nothing waits for you.').first().waitFor();
    const { project: cwd, environment } = person;
    const withDeadline = { ...environment, CAPSTAN_APPROVAL_DEADLINE_SEC: '3' };
    const args = ['run', '--json', '--quiet', 'Replace "FR" with "IT" in orders.csv'];
    const { stdout } = await builtCommandLine(args, { cwd, environment: withDeadline });
    const { run_id: id } = JSON.parse(stdout) as { run_id: string };
    const closed = page.locator('.gone li', { hasText: 'Expired: denied' });
    await closed.waitFor();
    expect(await closed.locator('.mark.good').count()).toBe(0);
    await page.locator('.toast').getByText('Expired: denied').waitFor();
    await page.goto(`${server.url}/runs/${id}`);
    await page.locator('.meta').getByText('Failed · expired').waitFor();
    const lane = page.locator('.lane', { has: page.locator('.f-person') });
    await lane.waitFor();
    expect(await lane.getAttribute('aria-label')).toMatch(/you \d/);
    const waited = await lane.locator('.f-person').boundingBox();
    for (const box of await lane.locator('.f-tool').all())
      expect((await box.boundingBox())?.width).toBeLessThan((waited?.width ?? 0) / 4);
  });

  it('took as long on the page as in the terminal, without the time in which it was parked', async () => {
    const beganMs = performance.now();
    const asked = await capstan('run', '--json', '--quiet', 'Replace "FR" with "IT" in orders.csv');
    const { run_id: id } = JSON.parse(asked) as { run_id: string };
    await new Promise((resolve) => setTimeout(resolve, PARKED_MS));
    await page.goto(`${server.url}/runs/${id}`);
    await page.getByRole('button', { name: 'Allow once' }).waitFor();
    await page.waitForTimeout(DEAF_MS);
    await page.keyboard.press('y');
    await page.locator('.meta').getByText('Completed').waitFor();
    const shown = await capstan('runs', 'show', id, '--json');
    const { duration_ms: ms } = JSON.parse(shown) as { duration_ms: number };
    expect(ms).toBeLessThan(performance.now() - beganMs - PARKED_MS);
    await page.locator('.meta').getByText(duration(ms), { exact: true }).waitFor();
  });
});

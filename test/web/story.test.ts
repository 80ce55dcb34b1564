import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startProgram } from '../programs/start-program.ts';
import { startFairClock } from '../setup/fair-clock.ts';
import { DEAF_MS, dashboardSuite, writeShop } from './dashboard-suite.ts';
import { hasChromium } from './open-dashboard.ts';
import { measuredOn, watchPage } from './watch-page.ts';

const TASK = 'Replace "FR" with "IT" in orders.csv, then replace "two" with "three" in notes.md';
/** 50 ms is aimed for; the rest is for a machine on which the server, its runs and the writer work at the same time. */
const LONG_MS = 300;

/** Of `/runs 67 ms`. */
const msOf = (task: string) => Number(task.split(' ')[1]);
/** Of `/runs 0.0120 main.page`: a share of the window. A run adds content that moves what is below it. */
const sizeOf = (shift: string) => Number(shift.split(' ')[1]);

describe.skipIf(!hasChromium)('a day at the dashboard (needs chromium)', () => {
  let page: Page;
  let writer: ChildProcess;
  const dashboard = dashboardSuite(async (person, { startRun }) => {
    writeShop(person);
    const others: string[] = [];
    for (const name of ['a', 'b', 'c']) {
      const task = `Count the rows of orders.csv by country, save them as ${name}.csv`;
      others.push(await startRun(task));
    }
    writer = startProgram('events', [state(), ...others]);
  });
  const state = () => join(dashboard.person.home, 'state');
  const numbersStored = (id: string): readonly number[] => {
    const db = new Database(join(state(), 'capstan.db'), { readonly: true });
    const numbers = db
      .prepare('SELECT seq FROM events WHERE run_id = ? ORDER BY seq')
      .pluck()
      .all(id);
    db.close();
    return numbers as number[];
  };

  beforeAll(async () => {
    ({ page } = await dashboard.openPage());
    await watchPage(page);
  });
  afterAll(async () => {
    writer?.kill('SIGKILL');
  });

  it('starts a run, answers by keyboard, and outlives kill -9 of its server without a gap', async () => {
    await page.goto(dashboard.at('/'));
    await page.locator('#task').waitFor();
    await page.waitForTimeout(DEAF_MS);
    await page.keyboard.press('c');
    await page.keyboard.type(TASK);
    await page.keyboard.press('Control+Enter');
    await page.waitForURL(/\/runs\/.+/);
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    await page.getByRole('heading', { name: 'change orders.csv?' }).waitFor();
    await page.waitForTimeout(DEAF_MS);
    await page.keyboard.press('y');
    await page.getByRole('heading', { name: 'change notes.md?' }).waitFor();
    dashboard.server.process.kill('SIGKILL');
    await page.getByText('Not connected.').waitFor();
    await dashboard.startAgain();
    await page.getByText('Not connected.').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Allow once' }).waitFor();
    await page.waitForTimeout(DEAF_MS);
    await page.keyboard.press('y');
    await page.locator('.meta').getByText('Completed').waitFor();
    expect(readFileSync(join(dashboard.person.project, 'notes.md'), 'utf8')).toBe('one\nthree\n');
    expect(readFileSync(join(dashboard.person.project, 'orders.csv'), 'utf8')).toContain('2,IT');
    const stored = numbersStored(id);
    await expect.poll(async () => (await measuredOn(page)).numbers[id]).toEqual(stored);
    const replayed = await dashboard.capstan('runs', 'replay', id, '--json');
    expect(JSON.parse(replayed)).toMatchObject({ identical: true });
  });

  it('shows the effect of an edit of an overlay, and its cases, within two seconds', async () => {
    await page.keyboard.press('g');
    await page.keyboard.press('c');
    await page.getByRole('link', { name: 'file-clerk' }).first().click();
    const field = page.getByLabel('Overlay, Markdown');
    await field.waitFor();
    await field.press('Control+End');
    const processes = [dashboard.server.process.pid ?? 0, ...(await dashboard.renderers())];
    const sinceEditMs = startFairClock(processes);
    await field.pressSequentially('\n- Say {{ticket}}.');
    await page.getByText('there is no variable "ticket"').waitFor();
    expect(sinceEditMs()).toBeLessThan(2_000);
    const sinceAskedMs = startFairClock(processes);
    await page.getByRole('button', { name: 'Run all' }).press('Enter');
    await page.getByText('worse').first().waitFor();
    expect(sinceAskedMs()).toBeLessThan(2_000);
  });

  it('never blocked the page for long, and moved nothing on Home', async () => {
    expect(writer.exitCode).toBeNull();
    const { longTasks, shifts } = await measuredOn(page);
    expect(longTasks.filter((task) => msOf(task) > LONG_MS)).toEqual([]);
    // The answer of a run moves what is below it if it arrives long after the last key.
    const mostOn = (shift: string) =>
      shift.startsWith('/ ') ? 0.001 : shift.startsWith('/runs/') ? 0.15 : 0.05;
    expect(shifts.filter((shift) => sizeOf(shift) > mostOn(shift))).toEqual([]);
  });
});

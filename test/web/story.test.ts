import type { ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtCommandLine } from '../programs/built-command-line.ts';
import { startProgram } from '../programs/start-program.ts';
import { hasChromium, openBrowser, openPage, type Server, startServer } from './open-dashboard.ts';
import { measuredOn, watchPage } from './watch-page.ts';

const TASK = 'Replace "FR" with "IT" in orders.csv, then replace "two" with "three" in notes.md';
/** A key right after a card appeared is not meant for it. */
const DEAF_MS = 500;
/** 50 ms is aimed for; the rest is for a machine on which the server, its runs and the writer work at the same time. */
const LONG_MS = 300;

/** Of `/runs 67 ms`. */
const msOf = (task: string) => Number(task.split(' ')[1]);
/** Of `/runs 0.0120 main.page`: a share of the window. A run adds content that moves what is below it. */
const sizeOf = (shift: string) => Number(shift.split(' ')[1]);

describe.skipIf(!hasChromium)('a day at the dashboard (needs chromium)', () => {
  let home: string;
  let cwd: string;
  let server: Server;
  let browser: Browser;
  let page: Page;
  let writer: ChildProcess;

  const capstan = async (...args: string[]): Promise<Record<string, unknown>> => {
    const environment = {
      PATH: process.env['PATH'],
      HOME: home,
      CAPSTAN_HOME: join(home, 'capstan'),
    };
    const { stdout } = await builtCommandLine(args, { cwd, environment });
    return JSON.parse(stdout);
  };
  const state = () => join(home, 'capstan/state');
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
    home = mkdtempSync(join(tmpdir(), 'capstan-story-'));
    cwd = join(home, 'shop');
    mkdirSync(cwd);
    writeFileSync(join(cwd, 'orders.csv'), 'id,country\n1,DE\n2,FR\n3,DE\n');
    writeFileSync(join(cwd, 'notes.md'), 'one\ntwo\n');
    const others: string[] = [];
    for (const name of ['a', 'b', 'c']) {
      const other = await capstan(
        'run',
        '--json',
        `Count the rows of orders.csv by country, save them as ${name}.csv`,
      );
      others.push(String(other['run_id']));
    }
    writer = startProgram('events', [state(), ...others]);
    [server, browser] = await Promise.all([startServer({ cwd, home }), openBrowser()]);
    ({ page } = await openPage(browser, server));
    await watchPage(page);
  });
  afterAll(async () => {
    writer?.kill('SIGKILL');
    await browser?.close();
    server?.process.kill('SIGKILL');
    rmSync(home, { recursive: true, force: true });
  });

  it('starts a run, answers by keyboard, and outlives kill -9 of its server without a gap', async () => {
    await page.goto(`${server.url}/`);
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
    server.process.kill('SIGKILL');
    await page.getByText('Not connected.').waitFor();
    server = await startServer({ cwd, home }, Number(new URL(server.url).port));
    await page.getByText('Not connected.').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Allow once' }).waitFor();
    await page.waitForTimeout(DEAF_MS);
    await page.keyboard.press('y');
    await page.locator('.meta').getByText('Completed').waitFor();
    expect(readFileSync(join(cwd, 'notes.md'), 'utf8')).toBe('one\nthree\n');
    expect(readFileSync(join(cwd, 'orders.csv'), 'utf8')).toContain('2,IT');
    const stored = numbersStored(id);
    await expect.poll(async () => (await measuredOn(page)).numbers[id]).toEqual(stored);
    expect(await capstan('runs', 'replay', id, '--json')).toMatchObject({ identical: true });
  });

  it('shows the effect of an edit of an overlay, and its cases, within two seconds', async () => {
    await page.keyboard.press('g');
    await page.keyboard.press('c');
    await page.getByRole('link', { name: 'file-clerk' }).first().click();
    const field = page.getByLabel('Overlay, Markdown');
    await field.waitFor();
    await field.press('Control+End');
    const editedAt = Date.now();
    await field.pressSequentially('\n- Say {{ticket}}.');
    await page.getByText('there is no variable "ticket"').waitFor();
    expect(Date.now() - editedAt).toBeLessThan(2_000);
    const askedAt = Date.now();
    await page.getByRole('button', { name: 'Run all' }).press('Enter');
    await page.getByText('worse').first().waitFor();
    expect(Date.now() - askedAt).toBeLessThan(2_000);
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

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { startModelServer } from '../model-server/model-server.ts';
import type { Script } from '../model-server/script.ts';
import { DEAF_MS, dashboardSuite } from './dashboard-suite.ts';
import { closePage, hasChromium } from './open-dashboard.ts';

const HIDDEN_POLL_MS = 15_000;

/** Asks the person once. */
const asking: Script = ({ responseName, messages }) => {
  const step = { id: 'serve', description: 'Serve', depends_on: [], capsule: 'file-clerk' };
  if (responseName === 'plan') return { json: { discovery: [], execution: [step] } };
  if (responseName === 'answer') return { json: { answer: 'Served.' } };
  if (messages.some(({ role }) => role === 'tool'))
    return { tool_calls: [{ name: 'final', args: { status: 'ok', result: 'Served.' } }] };
  const args = { question: 'What to drink?\nIt is for the guest.', choices: ['tea', 'coffee'] };
  return { tool_calls: [{ name: 'ask_person', args }] };
};

/** Chromium without a window shows every tab: this is what another tab in front does to the page. */
const hide = (page: Page, isHidden: boolean): Promise<unknown> =>
  page.evaluate(`
    Object.defineProperty(document, 'hidden', { configurable: true, value: ${isHidden} });
    document.dispatchEvent(new Event('visibilitychange'));`);

describe.skipIf(!hasChromium)('several tabs (needs chromium)', () => {
  const dashboard = dashboardSuite((person) => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) person.writeProject(`${name}.txt`, 'one\n');
  });
  const openAt = async (place: string) => {
    const { page } = await dashboard.openPage();
    await page.goto(dashboard.at(place));
    await page.waitForSelector('h1');
    return page;
  };

  it('a question is answered while five tabs show runs', async () => {
    const pages: Page[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      const id = await dashboard.startRun(`Replace "one" with "two" in ${name}.txt`);
      pages.push(await openAt(`/runs/${id}`));
    }
    const [first] = pages as [Page];
    const allow = first.getByRole('button', { name: 'Allow once' });
    await allow.waitFor();
    await first.waitForTimeout(DEAF_MS);
    await allow.click();
    await first.locator('.meta').getByText('Completed').waitFor();
    expect(readFileSync(join(dashboard.person.project, 'a.txt'), 'utf8')).toBe('two\n');
    for (const page of pages) await closePage(page);
  });

  it('an answer that came too late is reported until that is dismissed, and the run shows the one that counts', async () => {
    const model = await startModelServer({ vendor: 'ollama', script: asking });
    const started = await dashboard.capstanWith(
      { CAPSTAN_BASE_URL: model.baseUrl },
      ...['run', '--json', '--quiet', '--provider', 'ollama', '--model', model.model],
      'Bring me a drink',
    );
    const { run_id: id, approvals } = JSON.parse(started);
    const page = await openAt(`/runs/${id}`);
    await page.route('**/answer', async (route) => {
      await dashboard.capstan('approvals', 'answer', approvals[0].id, 'tea', '--json');
      await route.continue();
    });
    const coffee = page.getByRole('button', { name: 'coffee' });
    await coffee.waitFor();
    await page.waitForTimeout(DEAF_MS);
    await coffee.click();
    const toast = page.locator('.toast');
    await toast.getByText('can no longer be answered: "tea" was answered by cli').waitFor();
    await coffee.waitFor({ state: 'detached' });
    await page.locator('.msg').getByText('file-clerk asks: What to drink?').waitFor();
    await page.locator('.msg').getByText('It is for the guest.').waitFor();
    await page.locator('.you').getByText('tea', { exact: true }).waitFor();
    await toast.getByRole('button', { name: 'Dismiss' }).click();
    await toast.waitFor({ state: 'detached' });
    await closePage(page);
    await model.close();
  });

  it('a tab that is not shown reads no stream, and is up to date when it is shown again', async () => {
    const page = await openAt('/');
    await page.getByText('Connected', { exact: true }).waitFor();
    const left = page.waitForEvent('requestfailed', (one) => one.url().endsWith('/stream'));
    await hide(page, true);
    await left;
    await page.waitForTimeout(DEAF_MS);
    const id = await dashboard.startRun('Write the text hello to hello.txt');
    expect(await page.locator(`a[href="/runs/${id}"]`).count()).toBe(0);
    await hide(page, false);
    await page.locator(`a[href="/runs/${id}"]`).first().waitFor();
    await page.getByText('Connected', { exact: true }).waitFor();
    await closePage(page);
  });

  it('a tab that is not shown notifies a person who allowed it of a question', async () => {
    const { page } = await dashboard.openPage();
    await page.context().grantPermissions(['notifications'], { origin: dashboard.server.url });
    await page.clock.install();
    await page.addInitScript(`
      window.notified = [];
      window.Notification = class extends Notification {
        constructor(words, options) { super(words, options); notified.push(words); }
      };`);
    await page.goto(dashboard.at('/approvals'));
    await page.getByText('Notifications are on').waitFor();
    await hide(page, true);
    await dashboard.startRun('Replace "one" with "three" in b.txt');
    await page.clock.fastForward(HIDDEN_POLL_MS);
    await expect.poll(() => page.evaluate('notified')).toEqual([expect.stringMatching(/wait/)]);
    await closePage(page);
  });
});

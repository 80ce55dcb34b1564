import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { dashboardSuite } from './dashboard-suite.ts';
import { closePage, hasChromium, openBrowser, violationsOf } from './open-dashboard.ts';

describe.skipIf(!hasChromium)('a way on from every page (needs chromium)', () => {
  const dashboard = dashboardSuite();
  let page: Page;
  beforeAll(async () => {
    ({ page } = await dashboard.openPage());
  });

  it.each([
    ['/nope', 'There is no page /nope.', 'Home'],
    ['/runs/12345678', '12345678', 'All runs'],
    ['/capsules/nobody', 'nobody', 'All capsules'],
  ])('%s says what does not exist, and where to go', async (place, words, link) => {
    await page.goto(dashboard.at(place));
    const main = page.getByRole('main');
    await main.getByText(words).first().waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    expect(await violationsOf(page)).toEqual([]);
    await main.getByRole('link', { name: link }).click();
    await page.locator('h1').getByText('Not found').waitFor({ state: 'detached' });
    await page.getByText(words).waitFor({ state: 'detached' });
  });

  it('an address that a program asks for is still a problem document', async () => {
    const answer = await fetch(dashboard.at('/nope'), { headers: { accept: 'application/json' } });
    expect([answer.status, await answer.json()]).toMatchObject([404, { code: 'NOT_FOUND' }]);
  });

  it('the phone has every page in its navigation', async () => {
    const { page: phone } = await dashboard.openPage({ width: 390, height: 844 });
    await phone.goto(dashboard.at('/'));
    const links = phone.getByRole('navigation', { name: 'Main' }).getByRole('link');
    const shown = await links.evaluateAll((found) => found.length);
    expect(shown).toBe(6);
    await links.getByText('Health').click();
    await phone.locator('h1').getByText('Health').waitFor();
    for (const words of ['Connected', '$0 of $10.00'])
      await phone.getByLabel('State').getByText(words, { exact: true }).waitFor();
    await phone.getByRole('button', { name: 'Light or dark' }).click();
    expect(await phone.locator('html').getAttribute('data-theme')).toBe('dark');
    await closePage(phone);
  });

  it('a link opened in a new tab needs no other sign-in', async () => {
    const context = await (await openBrowser()).newContext();
    const first = await context.newPage();
    await first.goto(dashboard.at('/healthz'));
    await first.evaluate(`sessionStorage.setItem('capstan.token', '${dashboard.server.token}')`);
    await first.goto(dashboard.at('/'));
    const link = first.getByRole('link', { name: 'Health' }).first();
    const opened = context.waitForEvent('page');
    await link.click({ modifiers: ['Control'] });
    const tab = await opened;
    await tab.locator('h1').getByText('Health').waitFor();
    const typed = await context.newPage();
    await typed.goto(dashboard.at('/'));
    await typed.getByText('capstan serve').first().waitFor();
    expect(await typed.evaluate(`sessionStorage.getItem('capstan.token')`)).toBeNull();
    await context.close();
  });

  it('a proposed capsule is shown with its grants and its manifest before it is created', async () => {
    await page.goto(dashboard.at('/capsules'));
    await page.getByRole('button', { name: 'New capsule' }).click();
    const task = 'Runs git commands, deletes old files and downloads web pages';
    await page.getByLabel('What it does').fill(task);
    await page.keyboard.press('Control+Enter');
    await page.getByRole('button', { name: 'Create' }).waitFor();
    const card = page.getByRole('region', { name: 'New capsule' });
    await card.getByText('operations: read, write · hosts: * · commands: **').waitFor();
    await card.getByText('"grants"').waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });

  it('Home shows a full path, the model, and money in consistent words', async () => {
    const { page: small } = await dashboard.openPage({ width: 1280, height: 800 });
    await small.goto(dashboard.at('/'));
    const field = small.getByLabel('Workspace');
    await expect.poll(() => field.inputValue()).toBe(dashboard.person.project);
    const { width } = (await field.boundingBox()) ?? { width: 0 };
    expect(width).toBeGreaterThan(500);
    await small.getByText('No model: only explicit instructions work.').waitFor();
    expect(await small.getByText('free of').count()).toBe(0);
    await small.fill('#task', 'List the files');
    await small.keyboard.press('Control+Enter');
    await small.locator('.meta').getByText('Completed').waitFor();
    await small.locator('.meta').getByText('No model').waitFor();
    expect(await small.getByText(/offline\/offline/).count()).toBe(0);
    expect(await small.getByLabel('Message to this run').count()).toBe(0);
    await closePage(small);
  });

  it('Back undoes the filters of Runs one by one', async () => {
    await page.goto(dashboard.at('/runs'));
    await page.getByLabel('Date').selectOption('7d');
    await page.getByRole('button', { name: 'Failed' }).click();
    await page.waitForURL(/status=failed/);
    await page.goBack();
    await page.waitForURL(/runs\?since=7d$/);
    await page.goBack();
    await page.waitForURL(/runs$/);
  });

  it('Home says that runs cannot start once the settings are broken, and a corrected form has no old error', async () => {
    await page.goto(dashboard.at('/'));
    await page.fill('#task', 'List the files');
    await page.getByLabel('Workspace').fill('relative/path');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Workspace').fill(dashboard.person.project);
    await page.getByRole('alert').waitFor({ state: 'detached' });
    const file = join(dashboard.person.home, 'config', 'config.yaml');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, 'budget: [');
    await page.goto(dashboard.at('/'));
    await page.getByText('No run can start').waitFor();
    rmSync(file);
    await page.goto(dashboard.at('/'));
    await page.getByText('Isolation A').or(page.getByText('Isolation C')).first().waitFor();
    expect(await page.getByText('No run can start').count()).toBe(0);
  });

  it('a page opens after the server has gone, and does not call a list empty', async () => {
    await page.goto(dashboard.at('/'));
    await page.getByText('Nothing waits for you.').first().waitFor();
    // The code of the pages is loaded a second later.
    await page.waitForTimeout(2_500);
    dashboard.server.process.kill('SIGKILL');
    await page.getByText('Not connected.', { exact: true }).waitFor();
    await page.getByText('Not known while not connected.').first().waitFor();
    expect(await page.getByText('Nothing waits for you.').count()).toBe(0);
    await page.getByRole('link', { name: 'Health' }).first().click();
    await page.locator('h1').getByText('Health').waitFor();
  });
});

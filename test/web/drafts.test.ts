import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import type { Locator, Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { dashboardSuite } from './dashboard-suite.ts';
import { closePage, hasChromium, violationsOf } from './open-dashboard.ts';
import { openPastRuns } from './past-runs.ts';

const field = (page: Page) => page.getByLabel('Overlay, Markdown');

async function append(page: Page, text: string): Promise<void> {
  await field(page).press('Control+End');
  await field(page).pressSequentially(text);
}

type Box = Awaited<ReturnType<Locator['boundingBox']>>;

const rightOf = (box: Box): number => (box?.x ?? Number.NaN) + (box?.width ?? Number.NaN);

/** Whether this note is in the window, and nothing covers its middle. */
async function isInView(page: Page, note: Locator): Promise<boolean> {
  const box = await note.boundingBox();
  const size = page.viewportSize();
  if (!box || !size || box.y < 0 || box.y + box.height > size.height) return false;
  const middle = `${box.x + box.width / 2}, ${box.y + box.height / 2}`;
  return page.evaluate<boolean>(`Boolean(document.elementFromPoint(${middle})?.closest('.notes'))`);
}

describe.skipIf(!hasChromium)('unsaved text (needs chromium)', () => {
  const dashboard = dashboardSuite();

  const overlayPath = () => join(dashboard.person.home, 'data/agents/file-clerk/skill.md');
  const savedText = () => readFileSync(overlayPath(), 'utf8');

  describe('an overlay that another page saves in the meantime', () => {
    let mine: Page;
    let other: Page;
    beforeEach(async () => {
      [{ page: mine }, { page: other }] = await Promise.all([
        dashboard.openPage(),
        dashboard.openPage(),
      ]);
      for (const page of [mine, other]) {
        await page.goto(dashboard.at('/capsules/file-clerk'));
        await field(page).waitFor();
      }
      await append(mine, '\n- My sentence.');
      await append(other, '\n- Their sentence.');
      await field(other).press('Control+s');
      await mine.getByText('was saved elsewhere').waitFor();
      expect(await field(mine).inputValue()).toContain('- My sentence.');
      return async () => {
        await closePage(mine);
        await closePage(other);
      };
    });

    it('is overwritten with the draft if the person keeps theirs', async () => {
      expect(await violationsOf(mine)).toEqual([]);
      await field(mine).press('Control+s');
      await mine.getByRole('button', { name: 'Difference' }).click();
      const difference = mine.getByLabel('Difference of the overlay');
      await difference.getByText('Their sentence').waitFor();
      await mine.getByRole('button', { name: 'Keep mine' }).click();
      expect(savedText()).toContain('Their sentence');
      await mine.getByRole('button', { name: 'Save' }).click();
      await mine.getByText('not saved').waitFor({ state: 'detached' });
      expect(savedText()).toContain('My sentence');
      expect(savedText()).not.toContain('Their sentence');
      await expect.poll(() => field(other).inputValue()).toContain('- My sentence.');
    });

    it('replaces the draft if the person accepts it', async () => {
      await mine.getByRole('button', { name: 'Use the saved text' }).click();
      expect(await field(mine).inputValue()).toBe(savedText());
      expect(await mine.getByText('was saved elsewhere').count()).toBe(0);
    });
  });

  it('an overlay that an editor saves is shown by the open page, or reported beside a draft', async () => {
    const { page } = await dashboard.openPage();
    await page.goto(dashboard.at('/capsules/file-clerk'));
    await field(page).waitFor();
    mkdirSync(dirname(overlayPath()), { recursive: true });
    writeFileSync(overlayPath(), 'Be kind.\n');
    await expect.poll(() => field(page).inputValue()).toBe('Be kind.\n');
    await append(page, 'Be quick.');
    writeFileSync(overlayPath(), 'Be patient.\n');
    await page.getByText('was saved elsewhere').waitFor();
    expect(await field(page).inputValue()).toBe('Be kind.\nBe quick.');
    await closePage(page);
  });

  it('an overlay that an editor saved in the meantime is not overwritten', async () => {
    const { page } = await dashboard.openPage();
    await page.goto(dashboard.at('/capsules/file-clerk'));
    await append(page, '\n- A later sentence.');
    const theirs = 'Be brief.\n';
    mkdirSync(dirname(overlayPath()), { recursive: true });
    writeFileSync(overlayPath(), theirs);
    await field(page).press('Control+s');
    await page.getByText('was saved elsewhere').waitFor();
    expect(readFileSync(overlayPath(), 'utf8')).toBe(theirs);
    expect(await field(page).inputValue()).toContain('- A later sentence.');
    await closePage(page);
  });

  it.each([
    [1280, 800],
    [390, 844],
  ])(
    'an overlay with an error is refused in view, below the line that is typed, next to fully visible buttons: %i × %i px',
    async (width, height) => {
      const { page } = await dashboard.openPage({ width, height });
      await page.goto(dashboard.at('/capsules/file-clerk'));
      await field(page).waitFor();
      await append(page, '\n'.repeat(40));
      await field(page).pressSequentially('{{#if can.write}}');
      const finding = page.locator('.lintbox').first();
      await finding.waitFor();
      await expect.poll(() => isInView(page, finding)).toBe(true);
      const last = `document.querySelector('.editor').lastElementChild`;
      await expect
        .poll(() =>
          page.evaluate(`${last}.getBoundingClientRect().bottom <=
            document.querySelector('.notes').getBoundingClientRect().top`),
        )
        .toBe(true);
      await field(page).press('Control+s');
      const refusal = page.getByRole('alert').getByText('Not saved.');
      await refusal.waitFor();
      expect(await refusal.textContent()).toContain('Correct what is named above.');
      await expect.poll(() => isInView(page, refusal)).toBe(true);
      const card = await page.locator('#overlay').boundingBox();
      const save = await page.getByRole('button', { name: 'Save' }).boundingBox();
      expect(rightOf(save)).toBeLessThanOrEqual(rightOf(card));
      await closePage(page);
    },
  );

  it('a draft is compared with the saved overlay on the last tasks', async () => {
    const { page } = await dashboard.openPage();
    await page.goto(dashboard.at('/capsules/file-clerk'));
    await field(page).waitFor();
    // Saved through Capstan, the overlay is not asked about.
    await append(page, '\n- Be exact.');
    await field(page).press('Control+s');
    await page.getByText('not saved').waitFor({ state: 'detached' });
    await page.goto(dashboard.at('/'));
    await page.fill('#task', 'List the files');
    await page.keyboard.press('Control+Enter');
    await page.locator('.meta').getByText('Completed').waitFor();
    await page.goto(dashboard.at('/capsules/file-clerk'));
    const compare = page.getByRole('button', { name: 'Compare on history' });
    await field(page).waitFor();
    expect(await compare.isDisabled()).toBe(true);
    const before = await field(page).inputValue();
    await append(page, '\n- Answer in one sentence.');
    await compare.click();
    const history = page.getByRole('region', { name: 'Last tasks' });
    await history.getByText('1 of 1 task the same').waitFor();
    await history.getByRole('link', { name: 'List the files' }).waitFor();
    await page.route('**/capsules/file-clerk/compare', async (route) => {
      const response = await route.fetch();
      const compared = (await response.json()) as { tasks: { draft: object }[] };
      for (const one of compared.tasks) one.draft = { ...one.draft, reworded: 1 };
      await route.fulfill({ response, json: compared });
    });
    await compare.click();
    await history.getByRole('cell', { name: 'The same (older answers)' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(savedText()).toBe(before);
    await closePage(page);
  });

  it('a draft outlives a reload and a visit to another page, until it is discarded', async () => {
    const { page } = await dashboard.openPage();
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.accept();
    });
    await page.goto(dashboard.at('/capsules/file-clerk'));
    await field(page).waitFor();
    const before = await field(page).inputValue();
    await append(page, '\n- An unsaved sentence.');
    await page.reload();
    expect(asked).toEqual(['beforeunload']);
    await expect.poll(() => field(page).inputValue()).toContain('- An unsaved sentence.');
    await page.getByRole('link', { name: 'Cost' }).click();
    await page.locator('h1').getByText('Cost').waitFor();
    await page.goBack();
    await expect.poll(() => field(page).inputValue()).toContain('- An unsaved sentence.');
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.reload();
    await expect.poll(() => field(page).inputValue()).toBe(before);
    expect(asked).toHaveLength(1);
    await closePage(page);
  });

  it('a draft of an overlay with Windows line ends can be discarded, and replaced with the shipped text', async () => {
    const folder = join(dashboard.person.home, 'data/agents/log-analyst');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'skill.md'), 'Be brief.\r\nBe exact.\r\n');
    const { page } = await dashboard.openPage();
    await page.goto(dashboard.at('/capsules/log-analyst'));
    await append(page, '- An unsaved sentence.');
    await page.getByText('not saved').waitFor();
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByText('not saved').waitFor({ state: 'detached' });
    expect(await field(page).inputValue()).toBe('Be brief.\nBe exact.\n');
    const shipped = join(import.meta.dirname, '../../agents/log-analyst/skill.md');
    const restore = page.getByRole('button', { name: 'Use the shipped text' });
    await restore.click();
    await page.getByText('not saved').waitFor();
    expect(await field(page).inputValue()).toBe(readFileSync(shipped, 'utf8'));
    expect(await restore.count()).toBe(0);
    await page.getByText('which updates of Capstan do not change').waitFor();
    await closePage(page);
  });

  it('a draft comes back with Ctrl and Z after it was discarded, pasted or typed', async () => {
    const { page } = await dashboard.openPage();
    await page.goto(dashboard.at('/capsules/file-clerk'));
    await field(page).waitFor();
    const before = await field(page).inputValue();
    const value = () => field(page).inputValue();
    for (const [view, write] of [
      ['Write', () => append(page, '\n- A typed sentence.')],
      ['Write', () => page.keyboard.insertText('\n- A pasted sentence.')],
      ['Difference', () => append(page, '\n- A compared sentence.')],
    ] as const) {
      await field(page).press('Control+End');
      await write();
      const draft = await value();
      await page.getByRole('button', { name: view }).click();
      await page.getByRole('button', { name: 'Discard' }).click();
      await expect.poll(value).toBe(before);
      await page.getByText('not saved').waitFor({ state: 'detached' });
      await field(page).press('Control+z');
      await expect.poll(value).toBe(draft);
      await page.getByRole('button', { name: 'Discard' }).click();
      await expect.poll(value).toBe(before);
    }
    await closePage(page);
  });

  it('Ctrl and Enter run the cases, and what passes by older answers is not shown as passed', async () => {
    const { page } = await dashboard.openPage();
    await page.goto(dashboard.at('/capsules/file-clerk'));
    await field(page).press('Control+Enter');
    const cases = page.getByRole('region', { name: 'Cases' });
    await cases.locator('.good').getByText('Passes').first().waitFor();
    expect(await cases.getByText('older answers').count()).toBe(0);
    await page.route('**/capsules/file-clerk/cases', async (route) => {
      const response = await route.fetch();
      const results = (await response.json()) as { cases: { draft: object }[] };
      for (const one of results.cases) one.draft = { ...one.draft, reworded: 1 };
      await route.fulfill({ response, json: results });
    });
    await field(page).press('Control+Enter');
    await cases.getByText('Passes (older answers)').first().waitFor();
    expect(await cases.locator('.good').getByText('older answers').count()).toBe(0);
    await cases.getByText('capstan capsules test file-clerk --record').waitFor();
    await closePage(page);
  });

  it("a message to a run that can't continue is stored, and the page says why it stays parked", async () => {
    const past = openPastRuns(dashboard.person.home);
    const [id] = past.addMany(1);
    past.close();
    // Its folder does not exist.
    const db = new Database(join(dashboard.person.home, 'state/capstan.db'));
    db.prepare(
      "UPDATE runs SET status = 'parked', reason = 'provider', provider = 'ollama', ended_at = NULL",
    ).run();
    db.close();
    const { page } = await dashboard.openPage();
    await page.goto(dashboard.at(`/runs/${id}`));
    await page.getByLabel('Message to this run').fill('Go on with the rest.');
    await page.keyboard.press('Control+Enter');
    await page.getByText('The message was saved, but the run stays parked:').waitFor();
    await page.locator('.msg.you').getByText('Go on with the rest.').waitFor();
    expect(await page.getByLabel('Message to this run').inputValue()).toBe('');
    await closePage(page);
  });

  it('a task is started without a model although there is one', async () => {
    const { page } = await dashboard.openPage();
    await page.route('**/api/v1/stream', () => new Promise(() => {}));
    await page.route('**/api/v1/overview', async (route) => {
      const response = await route.fetch();
      const models = { fast: 'small', balanced: 'middle', best: 'large' };
      await route.fulfill({ response, json: { ...(await response.json()), models } });
    });
    await page.goto(dashboard.at('/'));
    await page.getByLabel('Model').selectOption('Without a model');
    await page.fill('#task', 'Write the text hello to bye.txt');
    const sent = page.waitForRequest('**/api/v1/runs');
    await page.keyboard.press('Control+Enter');
    expect((await sent).postDataJSON()).toMatchObject({ provider: 'offline' });
    await page.waitForURL(/\/runs\/.+/);
    await page.locator('.meta').getByText('No model').waitFor();
    await closePage(page);
  });

  it('a task that is sent before the folders are loaded starts when they are there', async () => {
    const { page } = await dashboard.openPage();
    let load = () => {};
    const isLoaded = new Promise<void>((resolve) => {
      load = resolve;
    });
    for (const address of ['**/api/v1/overview', '**/api/v1/stream']) {
      await page.route(address, async (route) => {
        await isLoaded;
        await route.continue();
      });
    }
    await page.goto(dashboard.at('/'));
    await page.fill('#task', 'Write the text hello to hello.txt');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('button', { name: 'Loading folders' }).waitFor();
    load();
    await page.waitForURL(/\/runs\/.+/);
    await closePage(page);
  });
});

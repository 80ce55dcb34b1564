import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { startModelServer } from '../model-server/model-server.ts';
import type { Script } from '../model-server/script.ts';
import { DEAF_MS, dashboardSuite, writeShop } from './dashboard-suite.ts';
import { closePage, hasChromium, type PageOptions, violationsOf } from './open-dashboard.ts';

const TWO_STEPS =
  'Replace "FR" with "IT" in orders.csv, then replace "two" with "three" in notes.md';

/** Writes two files, and reports them. */
const script: Script = ({ responseName, messages }) => {
  const step = { id: 'write', description: 'Report', depends_on: [], capsule: 'file-clerk' };
  if (responseName === 'plan') return { json: { discovery: [], execution: [step] } };
  if (responseName === 'answer') return { json: { answer: 'Reported.' } };
  const write = (path: string, content: string) => ({
    tool_calls: [{ name: 'file_io', args: { operation: 'write', path, content } }],
  });
  const written = messages.filter(({ role }) => role === 'tool').length;
  if (written === 0) return write('report.md', '# Sales\n\n**Three** orders\n');
  if (written === 1) return write('report.json', '{"orders":3,"open":[1,2]}');
  return { tool_calls: [{ name: 'final', args: { status: 'ok', result: 'Reported.' } }] };
};

describe.skipIf(!hasChromium)('the page of a run (needs chromium)', () => {
  /** A completed run that made a table. */
  let made: string;
  const dashboard = dashboardSuite(async (person, { startRun }) => {
    writeShop(person);
    made = await startRun('Count the rows of orders.csv by country, save them as rows.csv');
  });
  const { startRun } = dashboard;
  const capstan = async (...args: string[]) => JSON.parse(await dashboard.capstan(...args));
  /** Opens a page, passes it to `use`, and expects no problems in its console. */
  const withPage = async (
    place: string,
    use: (page: Page) => Promise<void>,
    options: PageOptions = {},
  ) => {
    const { page, complaints } = await dashboard.openPage(options);
    await page.goto(dashboard.at(place));
    await page.waitForSelector('h1');
    await use(page);
    expect(complaints).toEqual([]);
    await closePage(page);
  };

  it('runs a plan as a person edited it, without an empty step, from the page of its run', async () => {
    const id = await startRun('--plan-first', TWO_STEPS);
    await withPage(`/runs/${id}`, async (page) => {
      await page.getByLabel('Step 1').first().waitFor();
      const first = page.getByLabel('Step 1').first();
      await first.fill(' ');
      await page.locator('h1').click();
      await page.waitForTimeout(DEAF_MS);
      await page.keyboard.press('y');
      await page.getByText('Nothing was sent: step 1 needs a description.').waitFor();
      expect(await page.evaluate('document.activeElement.ariaInvalid')).toBe('true');
      await first.fill('Replace "FR" with "ES" in orders.csv');
      expect(await first.getAttribute('aria-invalid')).toBe('false');
      await page.getByRole('button', { name: 'Remove step 2' }).click();
      expect(await page.getByRole('button', { name: 'Remove step 1' }).isDisabled()).toBe(true);
      await page.waitForTimeout(DEAF_MS);
      await page.getByRole('button', { name: 'Run the edited plan' }).click();
      await page.getByRole('button', { name: 'Allow once' }).waitFor();
      await page.waitForTimeout(DEAF_MS);
      await page.getByRole('button', { name: 'Allow once' }).click();
      await page.locator('.meta').getByText('Completed').waitFor();
    });
    expect(readFileSync(join(dashboard.person.project, 'orders.csv'), 'utf8')).toContain('2,ES');
    expect(readFileSync(join(dashboard.person.project, 'notes.md'), 'utf8')).toBe('one\ntwo\n');
  });

  it('changes the dependencies of a step of a plan', async () => {
    const id = await startRun('--plan-first', TWO_STEPS);
    await withPage(`/runs/${id}`, async (page) => {
      const waits = page.getByRole('group', { name: 'Waits for' }).getByLabel('Step 1');
      await waits.waitFor();
      const wasChecked = await waits.isChecked();
      await waits.click();
      expect(await waits.isChecked()).toBe(!wasChecked);
      await page.waitForTimeout(DEAF_MS);
      const sent = page.waitForRequest(/\/answer$/);
      await page.getByRole('button', { name: 'Run the edited plan' }).click();
      const { steps } = (await sent).postDataJSON() as { steps: { depends_on: string[] }[] };
      expect(steps[1]?.depends_on.length).toBe(wasChecked ? 0 : 1);
      await page
        .getByRole('button', { name: 'Run the edited plan' })
        .waitFor({ state: 'detached' });
    });
    await capstan('runs', 'cancel', id, '--json');
  });

  it('forks after a step, which Esc does not choose, and resumes the fork', async () => {
    await withPage(`/runs/${made}`, async (page) => {
      const fork = page.getByRole('button', { name: 'Fork', exact: true });
      await fork.click();
      await page.getByRole('heading', { name: 'Fork after a step' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('heading', { name: 'Fork after a step' }).waitFor({ state: 'detached' });
      await fork.click();
      await page
        .getByRole('button', { name: /^Fork here, after/ })
        .first()
        .click();
      await page.getByText('forked from').waitFor();
      expect(page.url()).not.toContain(made);
      await page.getByRole('button', { name: 'Resume' }).click();
      await page.locator('.meta').getByText('Completed').waitFor();
    });
  });

  it('says that files differ before it forks, and forks after a confirmation', async () => {
    const kept = readFileSync(join(dashboard.person.project, 'rows.csv'));
    writeFileSync(join(dashboard.person.project, 'rows.csv'), 'changed\n');
    const { page } = await dashboard.openPage();
    await page.goto(dashboard.at(`/runs/${made}`));
    await page.getByRole('button', { name: 'Fork', exact: true }).click();
    await page
      .getByRole('button', { name: /^Fork here, after/ })
      .last()
      .click();
    await page.getByRole('alert').getByText('differ').waitFor();
    await page.getByRole('button', { name: 'Fork with the files as they are' }).click();
    await page.getByText('forked from').waitFor();
    await closePage(page);
    writeFileSync(join(dashboard.person.project, 'rows.csv'), kept);
  });

  it('stops, resumes and cancels a run', async () => {
    await withPage('/?new', async (page) => {
      await page.fill('#task', 'Replace "two" with "four" in notes.md');
      await page.keyboard.press('Control+Enter');
      await page.waitForURL(/\/runs\/.+/);
      await page.getByRole('button', { name: 'Stop' }).click();
      await page.locator('.meta').getByText('Parked').waitFor();
      await page.getByRole('button', { name: 'Resume' }).click();
      await page.getByRole('button', { name: 'Stop' }).waitFor();
      await page.getByRole('button', { name: 'Cancel run' }).click();
      await page.getByRole('button', { name: 'Cancel for good' }).click();
      await page.locator('.meta').getByText('Cancelled').waitFor();
      expect(await page.getByRole('button', { name: /Cancel|Stop|Resume/ }).count()).toBe(0);
    });
    expect(readFileSync(join(dashboard.person.project, 'notes.md'), 'utf8')).toBe('one\ntwo\n');
  });

  it('replays, exports and compares', async () => {
    const other = await startRun(
      'Count the rows of orders.csv by country, save them as others.csv',
    );
    await withPage(`/runs/${made}`, async (page) => {
      await page.getByRole('button', { name: 'Replay' }).click();
      await page.getByText('The replay is identical.').waitFor();
      const file = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Export' }).click();
      const recording = readFileSync(await (await file).path(), 'utf8');
      expect(recording).toContain(made);
      await page.getByRole('button', { name: 'Compare' }).click();
      await page.getByRole('link', { name: /others\.csv/ }).click();
      await page.getByRole('heading', { name: 'Compared' }).waitFor();
      expect(page.url()).toContain(`compare=${other}`);
    });
  });

  it('follows a run, and shows a question, that was opened by its short id', async () => {
    const id = await startRun('Replace "two" with "six" in notes.md');
    const later = await startRun('Replace "two" with "ten" in notes.md');
    const { page } = await dashboard.openPage({ height: 260 });
    const open = (await capstan('approvals', 'list', '--json')) as {
      id: string;
      run_id: string;
    }[];
    const question = open.find(({ run_id }) => run_id === id)?.id ?? '';
    await page.goto(dashboard.at(`/approvals/${question.slice(-8)}`));
    await page.waitForURL(dashboard.at(`/approvals/${question}`));
    const row = page.getByRole('region', { name: 'Queue' }).getByRole('link').last();
    await row.getByText('Replace "two" with "six" in notes.md').waitFor();
    await row.getByText(id.slice(-8)).waitFor();
    // A queue that is longer than the window scrolls by itself.
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    await page.getByRole('region', { name: 'Queue' }).getByRole('link').last().click();
    await expect.poll(async () => (await page.locator('.one').boundingBox())?.y).toBeLessThan(200);
    expect(await page.evaluate(`document.querySelector('.list').clientHeight`)).toBeLessThan(260);
    await page.setViewportSize({ width: 1440, height: 900 });
    await capstan('runs', 'cancel', later, '--json');
    await page.goto(dashboard.at(`/runs/${id.slice(-8)}#requests`));
    await page.waitForURL(dashboard.at(`/runs/${id}#requests`));
    await page.getByRole('button', { name: 'Deny once' }).waitFor();
    await page.waitForTimeout(DEAF_MS);
    await page.getByRole('button', { name: 'Deny once' }).click();
    await page.locator('.meta').getByText('Failed').waitFor();
    await page.goto(dashboard.at(`/approvals/${question}`));
    const card = page.locator('section', { hasText: 'to change notes.md?' }).last();
    await card.getByText('Denied in the dashboard').waitFor();
    await card.getByRole('link', { name: 'Open its run' }).waitFor();
    await closePage(page);
  });

  it('allows a long change only after all of it was shown, by key and by mouse alike', async () => {
    const lines = Array.from({ length: 60 }, (_, line) => `line x ${line}`);
    writeFileSync(join(dashboard.person.project, 'long.txt'), lines.join('\n'));
    const id = await startRun('Replace "line x" with "row y" in long.txt');
    for (const place of [`/runs/${id}`, '/approvals']) {
      await withPage(place, async (page) => {
        const more = page.getByRole('button', { name: 'More below' });
        const allow = page.getByRole('button', { name: 'Allow once' });
        await more.waitFor();
        await page.waitForTimeout(DEAF_MS);
        const top = () =>
          page.evaluate<number>(`(() => {
            const box = document.querySelector('.ask .diff');
            return box.scrollTop - box.getBoundingClientRect().top;
          })()`);
        const first = await top();
        await allow.click();
        await expect.poll(top).toBeGreaterThan(first);
        await page.getByText('Nothing was sent:').waitFor();
        const second = await top();
        await page.keyboard.press('y');
        await expect.poll(top).toBeGreaterThan(second);
        await page.keyboard.press('End');
        await more.waitFor({ state: 'detached' });
        await expect.poll(() => allow.isEnabled()).toBe(true);
      });
    }
    await withPage(`/runs/${id}`, async (page) => {
      const edges = async (selector: string) => {
        const { y = 0, height = 0 } = (await page.locator(selector).boundingBox()) ?? {};
        return [y, y + height];
      };
      for (const place of ['0', 'document.body.scrollHeight']) {
        await page.evaluate(`scrollTo(0, ${place})`);
        await expect.poll(async () => (await edges('.talk'))[1]).toBeCloseTo(884, -1);
        const [[top = 0, bottom = 0], dock] = [await edges('.talk'), await edges('.dock')];
        expect(dock[0]).toBeGreaterThanOrEqual(top);
        expect(dock[1]).toBeLessThanOrEqual(bottom + 1);
      }
      await page.evaluate('scrollTo(0, 0)');
      await page.getByRole('button', { name: 'Skip' }).click();
      await page.getByText('1 question skipped').waitFor();
      await page.getByRole('button', { name: 'show' }).click();
      await page.getByRole('button', { name: 'Allow once' }).waitFor();
      await page.waitForTimeout(DEAF_MS);
      await page.keyboard.press('m');
      await page.keyboard.type('Not now');
      await page.locator('h1').click();
      const sent = page.waitForRequest(/\/answer$/);
      await page.keyboard.press('n');
      expect((await sent).postDataJSON()).toMatchObject({ answer: 'deny', note: 'Not now' });
      await page.locator('.meta').getByText('Failed').waitFor();
    });
  });

  it('brings a question into view that a key answers unseen, and the next one after an answer on a page that was scrolled', async () => {
    const id = await startRun(
      'Replace "DE" with "AT" in orders.csv. Replace "two" with "six" in notes.md.',
    );
    await withPage(
      `/runs/${id}`,
      async (page) => {
        const card = page.locator('.dock article');
        await card.getByText('1 more after this').waitFor();
        await page.waitForTimeout(DEAF_MS);
        const sent = page.waitForRequest(/\/answer$/);
        await page.evaluate('scrollTo(0, document.body.scrollHeight)');
        await page.keyboard.press('n');
        await card.getByText('Nothing was sent: the question was not in view.').waitFor();
        expect((await card.boundingBox())?.y).toBeGreaterThanOrEqual(0);
        await card.evaluate('(card) => scrollBy(0, card.getBoundingClientRect().bottom - 80)');
        await page.keyboard.press('n');
        await sent;
        await card.getByText('1 more after this').waitFor({ state: 'detached' });
        const top = async () => (await card.boundingBox())?.y ?? Number.NaN;
        await expect.poll(top).toBeGreaterThan(-100);
        expect(await top()).toBeLessThan(500);
      },
      { width: 1000, height: 500 },
    );
    await capstan('runs', 'cancel', id, '--json');
  });

  it('breaks a name that is wider than the page', async () => {
    const name = `${'long_name_'.repeat(20)}.txt`;
    writeFileSync(join(dashboard.person.project, name), 'one\n');
    const id = await startRun(`Replace "one" with "two" in ${name}`);
    for (const place of ['/', `/runs/${id}`, '/approvals', '/runs']) {
      await withPage(
        place,
        async (page) => {
          await page.getByText('long_name_').first().waitFor();
          await page.waitForTimeout(DEAF_MS);
          expect(
            await page.evaluate(
              'document.documentElement.scrollWidth - document.documentElement.clientWidth',
            ),
            place,
          ).toBeLessThanOrEqual(0);
        },
        { width: 390, height: 844 },
      );
    }
    await capstan('runs', 'cancel', id, '--json');
  });

  it.each([
    ['', []],
    ['table-analyst', ['--capsule', 'table-analyst']],
  ])(
    'fills in the task of an ended run again, and its capsule only if it was named: %j',
    async (capsule, named) => {
      const id = await startRun(...named, 'Count the rows of orders.csv');
      await withPage(`/runs/${id}`, async (page) => {
        expect(await page.getByRole('button', { name: 'Pause' }).count()).toBe(0);
        await page.getByRole('button', { name: 'Run again' }).click();
        await expect
          .poll(() => page.locator('#task').inputValue())
          .toBe('Count the rows of orders.csv');
        await expect
          .poll(() => page.getByLabel('Workspace').inputValue())
          .toBe(dashboard.person.project);
        await expect.poll(() => page.getByLabel('Capsule').inputValue()).toBe(capsule);
      });
    },
  );

  it('offers no resume of a run that would only fail again', async () => {
    const { run_id } = await capstan('run', '--json', 'Write a poem about rain');
    await withPage(`/runs/${run_id}`, async (page) => {
      await page.locator('.meta').getByText('Failed').waitFor();
      expect(await page.getByRole('button', { name: 'Resume' }).count()).toBe(0);
      expect(await page.getByRole('button', { name: 'Run again' }).count()).toBe(1);
    });
  });

  it('cuts a long task, shows each result once, and no part that stays empty', async () => {
    const background = 'The notes are old. '.repeat(100);
    const long = await startRun(`Replace "one" with "two" in notes.md\n\n${background}`);
    await withPage(`/runs/${long}`, async (page) => {
      const said = page.locator('.you').first();
      const heightOf = async () => (await said.boundingBox())?.height ?? Number.NaN;
      const cut = await heightOf();
      await said.getByRole('button', { name: 'Show all of it' }).click();
      await expect.poll(heightOf).toBeGreaterThan(cut);
    });
    const steps = 'Count the lines of notes.md, then count the rows of orders.csv by country';
    const id = await startRun(steps);
    await withPage(`/runs/${id}`, async (page) => {
      await page.locator('.answer').waitFor();
      expect(await page.locator('.talk .msg').count()).toBe(2);
      expect(await page.locator('#prompt, #files').count()).toBe(0);
      expect(
        await page
          .locator('.tabs')
          .getByText(/Prompt|Files/)
          .count(),
      ).toBe(0);
    });
  });

  it('goes to the next and the previous part by key', async () => {
    await withPage(`/runs/${made}`, async (page) => {
      const topOf = async (part: string) =>
        (await page.locator(`section#${part}`).boundingBox())?.y ?? Number.NaN;
      await page.locator('section#cost').waitFor();
      await page.keyboard.press(']');
      await page.keyboard.press(']');
      await expect.poll(() => topOf('time')).toBeLessThan(100);
      await page.keyboard.press('[');
      await expect.poll(() => topOf('time')).toBeGreaterThan(100);
    });
  });

  it('says that a run was undone, and takes it back', async () => {
    const id = await startRun('--approve-mode', 'allow', 'Replace "one" with "seven" in notes.md');
    await withPage(`/runs/${id}`, async (page) => {
      const changes = page.locator('#changes');
      for (const [word, other] of [
        ['Undo', 'Redo'],
        ['Redo', 'Undo'],
      ] as const) {
        await changes.getByRole('button', { name: word, exact: true }).click();
        await changes.getByRole('button', { name: `${word} 1 file` }).click();
        await changes.getByRole('button', { name: other, exact: true }).waitFor();
        expect(await changes.getByText('undone: the files are as before').count()).toBe(
          word === 'Undo' ? 1 : 0,
        );
      }
      await changes.getByRole('button', { name: 'Undo', exact: true }).click();
      await changes.getByRole('button', { name: 'Undo 1 file' }).click();
      await changes.getByRole('button', { name: 'Redo', exact: true }).waitFor();
    });
  });

  it('says that answers are equal, and a failure once, and lists f2 before f10', async () => {
    const task = 'Write a poem about rain';
    const [{ run_id: id }, { run_id: other }] = [
      await capstan('run', '--json', task),
      await capstan('run', '--json', task),
    ];
    const { page } = await dashboard.openPage();
    await page.route(`**/api/v1/runs/${id}`, async (route) => {
      const response = await route.fetch();
      const file = { bytes: 1, sha256: null, made_by: 'step_1' };
      const artifacts = ['f10.txt', 'f2.txt'].map((path) => ({ ...file, path }));
      await route.fulfill({ response, json: { ...(await response.json()), artifacts } });
    });
    await page.goto(dashboard.at(`/runs/${id}?compare=${other}`));
    await page.getByText('The answers are equal.').waitFor();
    await page.locator('.answer').waitFor();
    expect(await page.locator('.talk > .bad').count()).toBe(0);
    const files = await page.locator('#files .row').allInnerTexts();
    expect(files.map((text) => text.match(/f\d+/)?.[0])).toEqual(['f2', 'f10']);
    await closePage(page);
  });

  it('asks about a rename as one file', async () => {
    writeFileSync(join(dashboard.person.project, 'draft.txt'), 'hello\n');
    const id = await startRun('Rename draft.txt to final.txt');
    await withPage(`/runs/${id}`, async (page) => {
      const dock = page.locator('.dock');
      await dock.getByText('draft.txt → final.txt, content unchanged').waitFor();
      expect(await dock.locator('.diff').count()).toBe(0);
    });
    await capstan('runs', 'cancel', id, '--json');
  });

  it('marks the runs that were selected to be compared, and compares them by key', async () => {
    await withPage('/runs', async (page) => {
      await page.locator('.lines a').first().waitFor();
      await page.keyboard.press('x');
      await page.keyboard.press('j');
      const selected = page.locator('.picked');
      await selected.getByText('Selected to compare').waitFor();
      expect(await selected.getAttribute('aria-current')).toBeNull();
      await page.keyboard.press('x');
      await page.getByRole('link', { name: 'Compare the two' }).waitFor();
      await page.keyboard.press('C');
      await page.getByRole('heading', { name: 'Compared' }).waitFor();
    });
  });

  it('shows a table and fetches it', async () => {
    await withPage(`/runs/${made}`, async (page) => {
      const files = page.locator('#files');
      await files.getByRole('button', { name: 'View' }).click();
      await files.getByRole('cell', { name: 'DE' }).waitFor();
      const file = page.waitForEvent('download');
      await files.getByRole('button', { name: 'Download' }).click();
      expect(readFileSync(await (await file).path(), 'utf8')).toContain('DE');
    });
  });

  it('shows Markdown, JSON, the prompt by layers, and the answer and cost of each model call', async () => {
    const model = await startModelServer({ vendor: 'ollama', script });
    const env = {
      CAPSTAN_PROVIDER: 'ollama',
      CAPSTAN_MODEL_FAST: model.model,
      CAPSTAN_MODEL_BALANCED: model.model,
      CAPSTAN_MODEL_BEST: model.model,
      CAPSTAN_BASE_URL: model.baseUrl,
    };
    const args = ['run', '--json', '--approve-mode', 'allow', 'Write report.md and report.json'];
    const { run_id: id, status } = JSON.parse(await dashboard.capstanWith(env, ...args));
    await model.close();
    expect(status).toBe('completed');
    await withPage(`/runs/${String(id)}`, async (page) => {
      await page.locator('.meta').getByText('$0 of').waitFor();
      const file = (name: string) => page.locator('#files li', { hasText: name });
      await file('report.md').getByRole('button', { name: 'View' }).click();
      await file('report.md').getByRole('heading', { name: 'Sales' }).waitFor();
      await file('report.json').getByRole('button', { name: 'View' }).click();
      await file('report.json').getByText('"orders": 3,').waitFor();
      await page.locator('#prompt summary').first().click();
      await page.locator('#prompt').getByText('tokens before the first answer').waitFor();
      await page.locator('#prompt summary', { hasText: 'Identity' }).last().waitFor();
      const requests = page.locator('#requests');
      await requests.getByRole('button', { name: /^Model/ }).click();
      const call = requests.locator('li', { hasText: 'write' }).first();
      await call.locator('summary').first().click();
      for (const fact of ['Tokens in', 'Tokens out', 'Took', 'Finish'])
        await call.locator('.facts').getByText(fact, { exact: true }).waitFor();
      await call.locator('.facts').getByText('free', { exact: true }).waitFor();
      await call.getByText('Offered tools:').waitFor();
      await call.locator('.msgs').getByText('system').first().waitFor();
      expect(await violationsOf(page)).toEqual([]);
    });
  });

  it('breaks no word in the table of an answer, and scrolls a table that is wider than the page', async () => {
    const answer = [
      '| order | method | customer | amount | refunded |',
      '|---|---|---|---:|---|',
      `| 10001 | transfer | Lindqvist | 1,299.00 | ${'0f9a'.repeat(50)} |`,
      '\n```\n'.concat('a long line '.repeat(20), '\n```'),
    ].join('\n');
    const { page } = await dashboard.openPage({ width: 390 });
    await page.route(`**/api/v1/runs/${made}`, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), answer } });
    });
    await page.goto(dashboard.at(`/runs/${made}`));
    const table = page.locator('.answer').getByRole('group', { name: 'Table' });
    for (const word of ['order', 'method', 'customer', 'amount']) {
      const box = await table.getByRole('columnheader', { name: word }).boundingBox();
      expect(box?.height, word).toBeLessThan(30);
    }
    const ends = await page.evaluate(`(() => {
      const box = document.querySelector('.answer [role="group"]');
      const amount = box.querySelector('td:nth-child(4)');
      return [box.scrollWidth > box.clientWidth, getComputedStyle(amount).textAlign];
    })()`);
    expect(ends).toEqual([true, 'end']);
    expect(
      await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      ),
    ).toBeLessThanOrEqual(0);
    expect(await violationsOf(page)).toEqual([]);
    await closePage(page);
  });

  it('draws a picture, and reports a broken one', async () => {
    // One red pixel.
    const pixel = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==',
      'base64',
    );
    const { page } = await dashboard.openPage();
    let content = pixel;
    await page.route(`**/api/v1/runs/${made}`, async (route) => {
      const response = await route.fetch();
      const document = (await response.json()) as { artifacts: object[] };
      const named = document.artifacts.map((one) => ({ ...one, path: 'chart.png' }));
      await route.fulfill({ response, json: { ...document, artifacts: named } });
    });
    await page.route('**/artifacts?path=chart.png', (route) => route.fulfill({ body: content }));
    for (const [body, words] of [
      [pixel, '1 × 1 pixels'],
      [Buffer.from('no picture'), 'The picture cannot be shown. Download it to open it.'],
    ] as const) {
      content = body;
      await page.goto(dashboard.at(`/runs/${made}`));
      await page.locator('#files').getByRole('button', { name: 'View' }).click();
      await page.locator('#files').getByText(words).waitFor();
    }
    await closePage(page);
  });

  it('says who answered in a terminal', async () => {
    const id = await startRun('Replace "two" with "five" in notes.md');
    await withPage(`/runs/${id}`, async (page) => {
      await page.getByRole('button', { name: 'Allow once' }).waitFor();
      await page.keyboard.press('m');
      await page.keyboard.type('Use six instead');
      const open = (await capstan('approvals', 'list', '--json')) as {
        id: string;
        run_id: string;
      }[];
      const question = open.find(({ run_id }) => run_id === id);
      await capstan('approvals', 'deny', question?.id ?? '', '--json');
      await page.locator('.dock').getByText('in a terminal').waitFor();
      await page.locator('.dock').getByText('your note was not sent: “Use six instead”').waitFor();
    });
  });

  it('says that it is not connected although it never was', async () => {
    const { page } = await dashboard.openPage();
    await page.route('**/api/v1/stream*', (route) => route.abort());
    await page.goto(dashboard.at(`/runs/${made}`));
    await page.getByText('Not connected.').waitFor();
    for (const name of ['Fork', 'Run again'])
      expect(await page.getByRole('button', { name, exact: true }).isDisabled()).toBe(true);
    await page.unroute('**/api/v1/stream*');
    await page.getByText('Not connected.').waitFor({ state: 'detached' });
    await closePage(page);
  });

  it.each([
    ['light', 1440],
    ['dark', 360],
  ] as const)('is accessible with everything open: %s, %i px', async (theme, width) => {
    const id = await startRun('--plan-first', TWO_STEPS);
    await withPage(
      `/runs/${id}`,
      async (page) => {
        await page.getByLabel('Step 1').first().waitFor();
        await page.waitForTimeout(DEAF_MS);
        expect(await violationsOf(page)).toEqual([]);
        await page.goto(dashboard.at(`/runs/${made}`));
        await page.locator('#files').getByRole('button', { name: 'View' }).click();
        for (const opener of ['Fork', 'Compare']) {
          await page.getByRole('button', { name: opener, exact: true }).click();
          await page.waitForTimeout(DEAF_MS);
          expect(await violationsOf(page), opener).toEqual([]);
          const overflow = await page.evaluate(
            'document.documentElement.scrollWidth - document.documentElement.clientWidth',
          );
          expect(overflow, opener).toBeLessThanOrEqual(0);
        }
      },
      { theme, width },
    );
    await capstan('runs', 'cancel', id, '--json');
  });
});

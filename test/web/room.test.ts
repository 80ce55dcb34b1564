import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { dashboardSuite, writeShop } from './dashboard-suite.ts';
import { hasChromium } from './open-dashboard.ts';

describe.skipIf(!hasChromium)('late content has reserved space (needs chromium)', () => {
  let id: string;
  const dashboard = dashboardSuite(async (person, { startRun }) => {
    writeShop(person);
    id = await startRun('Count the rows of orders.csv by country, save them as rows.csv');
  });
  let page: Page;
  beforeAll(async () => {
    ({ page } = await dashboard.openPage());
  });

  const topOf = async (selector: string) => Number((await page.locator(selector).boundingBox())?.y);
  /** Of one frame: what comes above both in the meantime moves both. */
  const distance = (from: string, to: string) =>
    page.evaluate(
      `document.querySelector('${to}').getBoundingClientRect().y - document.querySelector('${from}').getBoundingClientRect().y`,
    );

  it('the filters of Cost stay where they are when the sum arrives', async () => {
    let send = () => {};
    const isWanted = new Promise<void>((resolve) => {
      send = resolve;
    });
    await page.route('**/api/v1/costs?*', async (route) => {
      await isWanted;
      await route.continue();
    });
    await page.goto(dashboard.at('/cost'));
    await page.locator('.filters').waitFor();
    const before = await topOf('.filters');
    send();
    await page.getByText('in total').waitFor();
    expect(await topOf('.filters')).toBe(before);
  });

  it.each([1440, 1024, 360])(
    'the parts under Cases stay where they are when the results arrive: %i px',
    async (width) => {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(dashboard.at('/capsules/file-clerk'));
      const field = page.getByLabel('Overlay, Markdown');
      await field.press('Control+End');
      await field.pressSequentially('\n{{#if can.write}}');
      await page.getByText('Fix the errors in the overlay').waitFor();
      const before = await distance('#cases', '#versions');
      await page.getByRole('button', { name: 'Run all' }).click();
      await page.locator('#cases').getByText('worse').first().waitFor();
      expect(await distance('#cases', '#versions')).toBe(before);
      await page.setViewportSize({ width: 1440, height: 900 });
    },
  );

  it('the parts under the timeline stay where they are when steps start', async () => {
    let isStarted = false;
    await page.route(`**/api/v1/runs/${id}`, async (route) => {
      const response = await route.fetch();
      const document = (await response.json()) as { steps: object[] };
      const steps = document.steps.map((step) => ({ ...step, started_at: null }));
      const json = isStarted ? document : { ...document, steps, requests: [] };
      await route.fulfill({ response, json });
    });
    await page.goto(dashboard.at(`/runs/${id}`));
    await page.getByText('Nothing has started yet.').waitFor();
    const before = await distance('#time', '#changes');
    isStarted = true;
    await page.getByRole('button', { name: 'Replay' }).click();
    await page.locator('.lane').first().waitFor();
    expect(await distance('#time', '#changes')).toBe(before);
  });
});

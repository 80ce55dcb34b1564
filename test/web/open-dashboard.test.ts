import { expect, it } from 'vitest';
import { hasChromium, openBrowser } from './open-dashboard.ts';

it.skipIf(!hasChromium)(
  'a browser that ended is replaced by a new one (needs chromium)',
  async () => {
    const first = await openBrowser();
    expect(await openBrowser()).toBe(first);
    await first.close();
    const second = await openBrowser();
    expect(second.isConnected()).toBe(true);
  },
);

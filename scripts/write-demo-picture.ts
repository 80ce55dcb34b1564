import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openScreen } from '../test/terminal/open-screen.ts';
import { terminalPicture } from './terminal-picture.ts';

const root = join(import.meta.dirname, '..');

const COLUMNS = 84;
const ROWS = 40;

/** What a person sees who asks for a table and a change, and allows the change. */
async function demo(): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), 'capstan-demo-'));
  const shop = join(home, 'shop');
  mkdirSync(shop);
  writeFileSync(
    join(shop, 'orders.csv'),
    'id,country,amount\n1001,DE,120.50\n1002,FR,80.00\n1003,DE,42.10\n1004,AT,15.00\n1005,FR,210.00\n',
  );
  const screen = openScreen({
    cwd: shop,
    columns: COLUMNS,
    rows: ROWS,
    env: { HOME: home, CAPSTAN_HOME: join(home, '.capstan'), CAPSTAN_PROVIDER: 'offline' },
  });
  try {
    await screen.shows('~/shop');
    await screen.shows('sandbox A', 20_000);
    screen.type('Total amount and number of orders per country in orders.csv\r');
    await screen.shows('Done in', 30_000);
    screen.type('Replace "1002,FR" with "1002,IT" in orders.csv\r');
    await screen.shows('y allow once', 30_000);
    screen.type('y');
    await screen.shows('changed orders.csv', 30_000);
    return screen.styledText();
  } finally {
    screen.kill();
    await screen.ended;
    rmSync(home, { recursive: true, force: true });
  }
}

const picture = terminalPicture({
  title: 'capstan',
  command: 'capstan',
  output: await demo(),
  columns: COLUMNS,
  maxLines: 48,
});
writeFileSync(join(root, 'docs/demo.svg'), picture);

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openScreen } from '../../test/terminal/open-screen.ts';
import { type Span, type TerminalPicture, terminalPicture } from './terminal-picture.ts';

const root = join(import.meta.dirname, '../..');

const COLUMNS = 84;
const ROWS = 40;

/** A session in which a person asks for a table and a change, and allows the change. */
async function demo(): Promise<Omit<TerminalPicture, 'title'>> {
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
    await screen.shows('sandbox A');
    screen.type('Total amount and number of orders per country in orders.csv\r');
    await screen.shows('Done in');
    screen.type('Replace "1002,FR" with "1002,IT" in orders.csv\r');
    await screen.shows('y allow once');
    screen.type('y');
    await screen.shows('changed orders.csv');
    return screen.styled('all');
  } finally {
    screen.kill();
    await screen.ended;
    rmSync(home, { recursive: true, force: true });
  }
}

const prompt: Span[] = [
  { text: '$ ', column: 0, width: 2, color: 2 },
  { text: 'capstan', column: 2, width: 7, isBold: true },
];
const { lines, cursor, columns } = await demo();
const picture = terminalPicture({
  title: 'capstan',
  lines: [prompt, ...lines],
  columns,
  cursor: cursor && { ...cursor, line: cursor.line + 1 },
});
writeFileSync(join(root, 'docs/demo.svg'), picture);

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openScreen } from '../../test/terminal/open-screen.ts';
import type { BenchOptions, Row } from '../measure/row.ts';

/** From its start until a program in a pseudo-terminal shows the expected text, in milliseconds. */
async function untilShown(shown: string, options: Parameters<typeof openScreen>[0]) {
  const started = performance.now();
  const screen = openScreen(options);
  try {
    await screen.shows(shown);
    return performance.now() - started;
  } finally {
    screen.kill();
    await screen.ended;
  }
}

const median = (values: readonly number[]): number =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;

/** From `capstan` and Enter to a prompt that accepts keys, compared with the smallest program that prints something. */
export async function measureMenu({ smoke }: BenchOptions): Promise<Row[]> {
  const home = mkdtempSync(join(tmpdir(), 'bench-menu-'));
  const menu = { cwd: home, env: { CAPSTAN_HOME: home, CAPSTAN_PROVIDER: 'offline', HOME: home } };
  const empty = { cwd: home, program: process.execPath, args: ['-e', 'console.log("ready")'] };
  const times: { menu: number[]; empty: number[] } = { menu: [], empty: [] };
  try {
    // The first start compiles and stores the code when it ends.
    const first = openScreen(menu);
    await first.shows('/ menu');
    first.type('\u0004');
    await first.ended;
    for (let count = 0; count < (smoke ? 1 : 15); count += 1) {
      times.menu.push(await untilShown('/ menu', menu));
      times.empty.push(await untilShown('ready', empty));
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
  const [shown, bare] = [median(times.menu), median(times.empty)];
  return [
    {
      what: 'interactive program on the screen (× `node -e 0`)',
      goal: 6.5,
      gate: 8,
      value: shown / bare,
      unit: '×',
      detail: `${shown.toFixed(0)} ms on the clock; \`node\` that prints a word: ${bare.toFixed(0)} ms`,
    },
  ];
}

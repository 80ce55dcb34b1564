import { join } from 'node:path';
import { race } from '../measure/cpu-time.ts';
import type { BenchOptions, Row } from '../measure/row.ts';

const launcher = join(import.meta.dirname, '../../bin/capstan.js');

/** The wait of a person who only asks for the version or the help. */
export function measureStarts({ smoke }: BenchOptions): Row[] {
  const node = process.execPath;
  const { empty, version, help } = race(
    {
      empty: { argv: [node, '-e', '0'] },
      version: { argv: [node, launcher, '--version'] },
      help: { argv: [node, launcher, '--help'] },
    },
    smoke ? 1 : 21,
  );
  const row = (what: string, cost: typeof empty, goal: number, gate: number): Row => ({
    what,
    goal,
    gate,
    value: cost.cpuMs / empty.cpuMs,
    unit: '×',
    detail: `${cost.cpuMs.toFixed(1)} ms CPU, ${cost.wallMs.toFixed(1)} ms on the clock; \`node -e 0\`: ${empty.cpuMs.toFixed(1)} ms CPU, ${empty.wallMs.toFixed(1)} ms`,
  });
  return [
    row('`capstan --version` (× `node -e 0`)', version, 1.2, 1.4),
    row('`capstan --help` (× `node -e 0`)', help, 1.2, 1.5),
  ];
}

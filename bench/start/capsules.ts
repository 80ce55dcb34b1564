import type { Row } from '../measure/row.ts';
import { measureCapsuleStart } from './capsule-start.ts';

const MB = 1_024 * 1_024;

/** The cost of one capsule process: start and memory. */
export async function measureCapsules(): Promise<Row[]> {
  const { bare, capsule, idleBytes } = await measureCapsuleStart();
  const start: Row = {
    what: 'capsule, from spawn to its answer (× `node -e 0`)',
    goal: 1.35,
    gate: 1.5,
    value: capsule / bare,
    unit: '×',
    detail: `${capsule.toFixed(1)} ms CPU; \`node -e 0\`: ${bare.toFixed(1)} ms`,
  };
  // Known on Linux only.
  if (Number.isNaN(idleBytes)) return [start];
  const idle: Row = {
    what: 'idle capsule process, private memory',
    goal: 6.5,
    gate: 8,
    value: idleBytes / MB,
    unit: 'MB',
    detail: 'of eight that are alive',
  };
  return [start, idle];
}

import { describe, expect, it } from 'vitest';
import { startCpuClock } from '../../../test/setup/cpu-clock.ts';
import { hiddenProgramHint } from './hidden-program-hint.ts';

const LENGTH = 256 * 1024;

describe('the hint about a hidden program', () => {
  it.each([
    ['one long word', 'x'],
    ['one long path', 'x/'],
    ['many names', 'a: '],
  ])('is searched in a short time, also in output that is %s', (_what, unit) => {
    const text = unit.repeat(LENGTH / unit.length);
    const cpuMs = startCpuClock();
    hiddenProgramHint(
      { argv: ['bash', '-c', text], folder: '/w', stderr: text },
      { workspace: '/w', searchPath: '/usr/bin', sees: () => true },
    );
    expect(cpuMs()).toBeLessThan(2_000);
  });
});

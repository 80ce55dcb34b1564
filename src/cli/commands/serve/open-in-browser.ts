import { spawn } from 'node:child_process';

/** Opens an address in the user's browser, if there is one. Nothing waits for it. */
export function openInBrowser(address: string): void {
  const program = process.platform === 'darwin' ? 'open' : 'xdg-open';
  const child = spawn(program, [address], { stdio: 'ignore', detached: true });
  // Without such a program the printed link remains.
  child.on('error', () => {});
  child.unref();
}

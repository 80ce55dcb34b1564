import { writeSync } from 'node:fs';
import { holdTerminal } from '../../src/cli/menu/terminal/restore-terminal.ts';

/** Takes the terminal and fails. */
holdTerminal(process.stdin, (text) => writeSync(1, text));
setTimeout(() => {
  throw new Error('out of order');
}, 50);

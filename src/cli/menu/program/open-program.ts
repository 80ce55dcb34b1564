import type { CommandIo } from '../../command.ts';
import { writeOut } from '../../io/process-output.ts';
import type { MenuOptions } from '../open-menu.ts';
import { isCtrl } from '../terminal/key.ts';
import { readKeys } from '../terminal/read-keys.ts';
import { holdTerminal } from '../terminal/restore-terminal.ts';
import { symbolsFor } from '../terminal/symbols.ts';
import { openDrawLoop } from './draw-loop.tsx';

export async function openProgram(io: CommandIo, _options: MenuOptions): Promise<number> {
  const symbols = symbolsFor(io.environment);
  const write = (text: string) => writeOut(1, text);
  const { stdin, stdout } = process;
  const terminal = holdTerminal(stdin, write);
  const loop = openDrawLoop({
    terminal: stdout,
    stdin,
    write,
    draw: () => ({ lines: [`${symbols.prompt} `, '  / menu'], cursor: { x: 2, y: 0 } }),
  });
  loop.redrawNow();
  await new Promise<void>((resolve) => {
    const stop = readKeys(stdin, (input) => {
      if (!isCtrl(input, 'd')) return;
      stop();
      resolve();
    });
  });
  loop.close();
  terminal.restore();
  return 0;
}

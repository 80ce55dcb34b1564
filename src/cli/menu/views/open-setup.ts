import { setupAtTerminal } from '../../setup/setup-at-terminal.ts';
import type { MenuContext } from '../program/create-context.ts';

/** `/setup`: asks line by line, in place of the live area. Returns whether the person left it, so that nothing was written. */
export async function openSetup({ capstan, io, lend, fail, frame, print }: MenuContext) {
  const keys = ['Enter continues', 'Esc goes to the conversation, nothing is saved'];
  print(`  ${keys.join(frame().symbols.separator)}`);
  try {
    return (await lend(() => setupAtTerminal(capstan, io, WRITTEN))) === 'left';
  } catch (error) {
    fail(error);
    return false;
  }
}

const WRITTEN = 'Written. Type what to do, such as: What is in this folder?';

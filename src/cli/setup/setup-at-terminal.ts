import { isatty } from 'node:tty';
import type { Capstan } from '../../app/open-capstan.ts';
import { ownVersion } from '../../app/own-process.ts';
import type { CommandIo } from '../command.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { endOnSignal } from '../io/watch-signals.ts';
import { createStyle, type Style } from '../style.ts';
import { sandboxSentence } from '../text/sandbox-sentence.ts';
import { shortFolder } from '../text/short-folder.ts';
import { performSetup } from './perform-setup.ts';
import { openRawTerminal, type RawTerminal } from './raw-terminal.ts';
import type { SetupInput, SetupLine, SetupStep } from './setup-step.ts';
import { startSetup, takeInput } from './setup-steps.ts';

/** Asks for everything line by line. @returns The exit code. @throws SignalReceived */
export async function setupAtTerminal(capstan: Capstan, io: CommandIo): Promise<number> {
  const { environment, stderr } = io;
  const style = createStyle(environment, isatty(2));
  const shownPath = (path: string) => shortFolder(path, environment, Number.MAX_SAFE_INTEGER);
  const signals = endOnSignal();
  const terminal = openRawTerminal(io);
  try {
    let step = startSetup({ ...(await headOf(capstan, io)), shownPath });
    for (;;) {
      for (const line of step.lines) stderr(lineText(line, style));
      if (step.outcome)
        return step.outcome === 'left' ? exitCodes.interrupted : exitCodes.completed;
      step = takeInput(step.state, await signals.orSignal(nextInput(step, terminal, capstan)));
    }
  } finally {
    terminal.close();
    signals.stop();
  }
}

/** What a new user should know first, and the choices. */
async function headOf({ setup }: Capstan, { cwd, environment }: CommandIo) {
  const [providers, level] = await Promise.all([setup.providers(), setup.sandbox()]);
  const head = [
    `Capstan ${ownVersion()} in ${shortFolder(cwd, environment, 60)}. It asks before it changes anything of yours.`,
    sandboxSentence[level],
  ];
  return { providers, head };
}

async function nextInput(
  { prompt, effect }: SetupStep,
  terminal: RawTerminal,
  { setup }: Capstan,
): Promise<SetupInput> {
  if (prompt) {
    const line = await terminal.read(prompt);
    return line === 'leave' ? { kind: 'leave' } : { kind: 'line', ...line };
  }
  if (!effect) return { kind: 'leave' };
  const working = performSetup(setup, effect);
  // What is being written is not left halfway.
  if (effect.kind === 'write') return working;
  working.catch(() => undefined);
  const first = await Promise.race([working, terminal.left]);
  return first === 'leave' ? { kind: 'leave' } : first;
}

const marks = { done: '✓', failed: '✗', notice: '!' } as const;

/** A line with its mark in colour, as it is printed. */
function lineText({ mark, text }: SetupLine, { green, red, yellow }: Style): string {
  if (mark === 'none') return `${text}\n`;
  const paint = { done: green, failed: red, notice: yellow }[mark];
  return `${paint(marks[mark])} ${text}\n`;
}

import { createInterface } from 'node:readline/promises';
import type { Approval, Approver, GivenAnswer } from '../broker/approvals.ts';
import type { CommandIo } from './command.ts';
import { escapeText } from './escape-text.ts';
import type { Style } from './style.ts';

/** Asks the person at this terminal, one question at a time. Whatever is not a clear yes is asked again; end of input is a no. */
export function createTerminalApprover(io: CommandIo, style: Style): Approver {
  let last: Promise<unknown> = Promise.resolve();
  return {
    ask(question, signal) {
      const mine = last.then(() => askOne(question, signal, { io, style }));
      last = mine.catch(() => undefined);
      return mine;
    },
  };
}

async function askOne(
  question: Approval,
  signal: AbortSignal,
  { io, style }: { readonly io: CommandIo; readonly style: Style },
): Promise<Omit<GivenAnswer, 'binding'> | undefined> {
  if (signal.aborted) return undefined;
  io.stderr(show(question, style));
  const lines = createInterface({ input: io.input ?? process.stdin, output: process.stderr });
  const closed = new Promise<'no'>((resolve) => lines.once('close', () => resolve('no')));
  const prompt = `  ${style.bold('Approve?')} y = yes, n = no: `;
  try {
    for (;;) {
      const line = await Promise.race([lines.question(prompt, { signal }), closed]);
      const answer = answers.get(line.trim().toLowerCase());
      if (answer) return { answer, by: 'terminal' };
    }
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  } finally {
    lines.close();
  }
}

const answers: ReadonlyMap<string, 'approve' | 'deny'> = new Map([
  ['y', 'approve'],
  ['yes', 'approve'],
  ['n', 'deny'],
  ['no', 'deny'],
]);

/** The whole of what will be done; nothing is cut. */
function show(
  { capsuleId, question, why, details, capsuleReason }: Approval,
  style: Style,
): string {
  const indented = escapeText(details, true).replace(/^/gm, '  │ ');
  const words = capsuleReason
    ? [`  ${style.dim(`${capsuleId} says: "${escapeText(capsuleReason)}"`)}`]
    : [];
  const head = `${style.yellow(`? ${escapeText(question)}`)} ${style.dim(escapeText(why))}`;
  return ['', head, indented, ...words, ''].join('\n');
}

import { ownVersion } from '../../../app/own-process.ts';
import { performSetup } from '../../setup/perform-setup.ts';
import type { SetupInput, SetupLine, SetupStep } from '../../setup/setup-step.ts';
import { startSetup, takeInput } from '../../setup/setup-steps.ts';
import { sandboxSentence } from '../../text/sandbox-sentence.ts';
import { shortFolder } from '../../text/short-folder.ts';
import { wrapProse } from '../draw/wrap-prose.ts';
import { type Drawn, type Frame, spinnerAt } from '../frame.ts';
import { drawInput } from '../input/draw-input.ts';
import { type Edited, edit, nothingTyped } from '../input/edit.ts';
import type { MenuContext } from '../menu-context.ts';
import { isKey, isPaste, type KeyInput } from '../terminal/key.ts';
import { cutEnd } from '../terminal/text-width.ts';

/** `/setup`: choosing a model and storing its key, question by question. Esc leaves it, and nothing is written. */
export async function openSetup(context: MenuContext): Promise<void> {
  let step = startSetup(await startOf(context));
  let line = nothingTyped;
  let isPasted = false;
  let isOpen = true;
  const take = (input: SetupInput) => {
    if (!isOpen) return;
    step = takeInput(step.state, input);
    line = nothingTyped;
    isPasted = false;
    proceed();
  };
  const proceed = () => {
    printLines(context, step.outcome === 'written' ? WRITTEN : step.lines);
    if (step.outcome) context.closeView();
    else if (step.effect)
      performSetup(context.capstan.setup, step.effect).then(take, (error) => {
        context.fail(error);
        if (isOpen) context.closeView();
      });
    context.redraw();
  };
  context.openView({
    get isLive() {
      return step.effect !== null;
    },
    draw: (frame) => drawSetup(step, line, frame),
    onKey(input) {
      if (isKey(input, 'esc') && step.effect?.kind !== 'write') return take({ kind: 'leave' });
      if (!step.prompt) return;
      if (isKey(input, 'enter')) return take({ kind: 'line', text: line.text, isPasted });
      isPasted ||= isPaste(input);
      line = typed(line, input);
      context.redraw();
    },
    onClose() {
      isOpen = false;
    },
  });
  proceed();
}

/** Everything that is asked here is one line. */
function typed(line: Edited, input: KeyInput): Edited {
  const flat = isPaste(input) ? { paste: input.paste.replace(/\s+/g, ' ').trim() } : input;
  const next = edit(line, flat);
  return next && !next.text.includes('\n') ? next : line;
}

async function startOf({ capstan, io: { environment, cwd } }: MenuContext) {
  const [providers, level] = await Promise.all([
    capstan.setup.providers(),
    capstan.setup.sandbox(),
  ]);
  const shownPath = (path: string) => shortFolder(path, environment, Number.MAX_SAFE_INTEGER);
  const head = [
    `Capstan ${ownVersion()} in ${shortFolder(cwd, environment, 60)}. It asks before it changes anything of yours.`,
    sandboxSentence[level],
  ];
  return { providers, head, shownPath };
}

const WRITTEN: readonly SetupLine[] = [
  { mark: 'done', text: 'Written. Type what to do, such as: What is in this folder?' },
];

function printLines({ print, frame }: MenuContext, lines: readonly SetupLine[]): void {
  const { style, symbols, width } = frame();
  const marks = {
    done: `${style.green(symbols.done)} `,
    failed: `${style.red(symbols.failed)} `,
    notice: `${style.yellow(symbols.notice)} `,
  };
  const shown = lines.flatMap(({ mark, text }) => {
    const indent = mark === 'none' ? (/^ */.exec(text)?.[0] ?? '') : '  ';
    const [first = '', ...rest] = wrapProse(text.trimStart(), width, indent);
    return [mark === 'none' ? first : marks[mark] + first.slice(indent.length), ...rest];
  });
  if (shown.length > 0) print(shown.join('\n'));
}

function drawSetup({ prompt, effect }: SetupStep, line: Edited, frame: Frame): Drawn {
  const { style, symbols, width } = frame;
  const hint = style.dim(`  Enter sends it${symbols.separator}Esc leaves, nothing is written`);
  if (effect) return { lines: [`${style.cyan(spinnerAt(frame))} ${working[effect.kind]}`] };
  if (!prompt) return { lines: [] };
  const words = prompt.text.trim() === '›' ? [] : [cutEnd(prompt.text.trimEnd(), width, symbols)];
  const shown = prompt.isHidden ? hidden(line) : line;
  const input = drawInput(shown, frame, { maxRows: 2 });
  const { cursor } = input;
  return {
    lines: [...words, ...input.lines, cutEnd(hint, width, symbols)],
    cursor: cursor && { x: cursor.x, y: words.length + cursor.y },
  };
}

/** A key is never on the screen: only how long it is. */
const hidden = ({ text }: Edited): Edited => {
  const words = text === '' ? '' : `${text.length} characters`;
  return { ...nothingTyped, text: words, cursor: words.length };
};

const working = {
  cost: 'looks up the price of a check',
  models: 'asks for the list of models',
  check: 'asks the model for one word',
  propose: 'reads your settings',
  write: 'writes your settings',
} as const;

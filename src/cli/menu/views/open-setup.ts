import { deferred } from '../../io/deferred.ts';
import { runSetup } from '../../setup/run-setup.ts';
import {
  SetupLeft,
  type SetupLine,
  type SetupPrompt,
  type SetupSurface,
  type SetupWork,
} from '../../setup/setup-surface.ts';
import { done } from '../../setup/setup-words.ts';
import { wrapProse } from '../draw/wrap-prose.ts';
import { type Drawn, type Frame, spinnerAt } from '../frame.ts';
import { drawInput } from '../input/draw-input.ts';
import { type Edited, editOneLine, nothingTyped } from '../input/edit.ts';
import type { MenuContext } from '../program/create-context.ts';
import { isKey, isPaste } from '../terminal/key.ts';
import { cutEnd } from '../terminal/text-width.ts';

type Asked = SetupPrompt & { readonly answer: (text: string) => void };

/** The content of the view: a question, or the work in progress. */
interface Shown {
  asked?: Asked | undefined;
  work?: SetupWork | undefined;
  line: Edited;
  isPasted: boolean;
}

/**
 * `/setup`: asks for a provider, its key and its models, and writes the settings. Esc goes back to the conversation without
 * writing.
 *
 * @returns Whether the person left it.
 */
export async function openSetup(context: MenuContext): Promise<boolean> {
  const shown: Shown = { line: nothingTyped, isPasted: false };
  let isOpen = true;
  const left = deferred<never>();
  const leave = () => left.reject(new SetupLeft());
  left.promise.catch(() => undefined);
  const show = <T>(now: Pick<Shown, 'asked' | 'work'>, work: Promise<T>): Promise<T> => {
    Object.assign(shown, { asked: undefined, work: undefined, ...now });
    Object.assign(shown, { line: nothingTyped, isPasted: false });
    context.redraw();
    return Promise.race([work, left.promise]);
  };
  const surface: SetupSurface = {
    print: (lines) => isOpen && printLines(context, lines),
    async ask(prompt) {
      const { promise, resolve } = deferred<string>();
      const text = await show({ asked: { ...prompt, answer: resolve } }, promise);
      return { text, isPasted: shown.isPasted };
    },
    during: (work, doing) => show({ work }, doing),
  };
  context.openView({
    get isLive() {
      return shown.work !== undefined;
    },
    draw: (frame) => drawSetup(shown, frame),
    onKey(input) {
      const { asked, work, line } = shown;
      if (isKey(input, 'esc') && work !== 'write') return leave();
      if (!asked) return;
      if (isKey(input, 'enter')) return asked.answer(line.text);
      shown.isPasted ||= isPaste(input);
      shown.line = editOneLine(line, input);
      context.redraw();
    },
    onClose() {
      isOpen = false;
      leave();
    },
  });
  let isLeft = false;
  try {
    const outcome = await runSetup(context.capstan, surface, context.io);
    isLeft = outcome === 'left';
    if (outcome === 'written') surface.print([WRITTEN]);
  } catch (error) {
    context.fail(error);
  }
  if (isOpen) context.closeView();
  return isLeft;
}

const WRITTEN = done('Written. Type what to do, such as: What is in this folder?');

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

function drawSetup({ asked, work, line }: Shown, frame: Frame): Drawn {
  const { style, symbols, width } = frame;
  const hint = style.dim(
    `  Enter sends the answer${symbols.separator}Esc goes to the conversation, nothing is saved`,
  );
  if (work) return { lines: [`${style.cyan(spinnerAt(frame))} ${working[work]}`] };
  if (!asked) return { lines: [] };
  const words = asked.text.trim() === '›' ? [] : [cutEnd(asked.text.trimEnd(), width, symbols)];
  const shown = asked.isHidden ? hidden(line) : line;
  const input = drawInput(shown, frame, { maxRows: 2 });
  const { cursor } = input;
  return {
    lines: [...words, ...input.lines, cutEnd(hint, width, symbols)],
    cursor: cursor && { x: cursor.x, y: words.length + cursor.y },
  };
}

/** Hides a key: only its length is shown. */
const hidden = ({ text }: Edited): Edited => {
  const words = text === '' ? '' : `${text.length} characters`;
  return { ...nothingTyped, text: words, cursor: words.length };
};

const working = {
  cost: 'looking up the price of a check',
  models: 'loading the list of models',
  check: 'testing the model with one word',
  propose: 'reading your settings',
  write: 'writing your settings',
} as const;

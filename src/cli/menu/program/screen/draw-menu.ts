import { counted } from '../../../text/format.ts';
import { type Drawn, type Frame, spinnerAt } from '../../frame.ts';
import { drawLine } from '../../input/draw-line.ts';
import { slashCommands } from '../../slash-commands.ts';
import { candidatesOf } from '../input/line-candidates.ts';
import type { Menu } from '../menu.ts';
import { canStop, isRunning, type LiveRun, leftOpen } from '../runs/live-run.ts';
import {
  composeQuestion,
  composeScreen,
  ESC_STOPS,
  questionsHint,
  type ScreenParts,
} from './compose-screen.ts';
import { idleHint } from './idle-hint.ts';

/** Draws the live area. */
export function drawMenu(menu: Menu): Drawn {
  const { state, screen, questions } = menu;
  const frame = screen.frame();
  if (state.isLeaving) return { lines: leavingLines(menu, frame) };
  const view = state.views.at(-1);
  const { confirm } = state;
  if (view) return bounded((confirm ?? view).draw(frame), frame);
  if (confirm) return composeScreen({ ...runParts(menu), question: confirm.draw, hint: '' }, frame);
  const parts = { ...runParts(menu), line: (room: Frame) => drawOwnLine(menu, room) };
  const question = questions.focused();
  if (question) return composeQuestion(question, parts, frame);
  return composeScreen({ ...parts, hint: hintOf(menu, frame) }, frame);
}

const bounded = ({ lines, cursor }: Drawn, { rows }: Frame): Drawn =>
  lines.length <= rows
    ? { lines, cursor }
    : { lines: [...lines.slice(0, rows - 1), ...lines.slice(-1)], cursor };

function runParts({
  conversation,
  questions,
  state,
}: Menu): Pick<ScreenParts, 'run' | 'others' | 'queued'> {
  const focused = conversation.focused();
  const others = conversation.live().filter((run) => run !== focused);
  const queued = conversation.queued().map(({ text }) => text);
  const isQuestion = questions.focused() !== undefined || state.confirm !== undefined;
  if (conversation.isStarting())
    return { run: (frame) => [`${frame.style.cyan(spinnerAt(frame))} starting`], others, queued };
  if (!focused || !isRunning(focused)) return { others, queued };
  return { run: (frame) => focused.part.draw(frame, { isQuestion }), others, queued };
}

const drawOwnLine = (menu: Menu, frame: Frame): Drawn =>
  drawLine(menu.state.line, frame, {
    candidates: candidatesOf(menu),
    about: (item) => slashCommands.find(({ name }) => name === item)?.summary ?? '',
  });

function hintOf({ state, conversation, questions }: Menu, { symbols, width }: Frame): string {
  if (state.notice !== '') return state.notice;
  const waiting = questions.waiting();
  const focused = conversation.focused();
  if (waiting > 0) return questionsHint(waiting, canStop(focused) ? ESC_STOPS : '', symbols);
  const keys = focused && runKeys(focused, conversation.queued().length);
  return keys?.join(symbols.separator) ?? idleHint(state.facts, symbols, width - 2);
}

/** What typing and the keys do while a run works or is parked. @param queued Number of waiting tasks. */
function runKeys(run: LiveRun, queued: number): readonly string[] | undefined {
  const open = leftOpen(run).length;
  const [continues, other] =
    open > 0
      ? [
          `Enter denies ${open === 1 ? 'it' : `${open} calls`} with your words`,
          '/resume asks again',
        ]
      : ['Enter continues it with your words', '/new starts a task'];
  if (run.status === 'parked') return parkedKeys(run, [continues, other]);
  if (!isRunning(run)) return undefined;
  const isStopping = run.stoppedMs !== undefined;
  const sends = isStopping ? continues : 'Enter sends a message to this run';
  return [
    ...(isStopping ? ['stopping'] : []),
    run.hasModel ? sends : 'Enter adds the next task',
    ...(queued > 0 ? ['Up takes it back'] : []),
    ...(isStopping ? ['Esc again discards it'] : ['Esc stops it', 'Tab next step', '? keys']),
  ];
}

const parkedKeys = ({ hasModel }: LiveRun, withModel: readonly string[]): readonly string[] => [
  ...(hasModel ? withModel : ['Enter starts a new task', '/resume continues this one']),
  ...['Esc discards it', '? keys'],
];

function leavingLines({ conversation }: Menu, frame: Frame): readonly string[] {
  const count = conversation.live().length;
  if (count === 0) return [];
  const parking = `${frame.style.cyan(spinnerAt(frame))} parking ${counted(count, 'run')}`;
  return [
    `${parking}${frame.symbols.separator}Ctrl-C stops ${count === 1 ? 'it' : 'them'} at once`,
  ];
}

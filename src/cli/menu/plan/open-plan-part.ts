import type { Approval } from '../../../contract/approval.ts';
import type { PlanPreview } from '../../../contract/plan-preview.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { forecastText } from '../../../contract/text/forecast-text.ts';
import { deferred } from '../../io/deferred.ts';
import { oneLine } from '../../lists/cell-text.ts';
import type { ListColumn } from '../../lists/columns/list-column.ts';
import { listLines } from '../../lists/list-lines.ts';
import type { Drawn, Frame } from '../frame.ts';
import { drawInput } from '../input/draw-input.ts';
import { type Edited, edit, nothingTyped } from '../input/edit.ts';
import type { MenuContext } from '../program/create-context.ts';
import type { QuestionPart } from '../question/question-part.ts';
import { isCtrl, isKey, isPaste, type KeyInput } from '../terminal/key.ts';
import { cutEnd } from '../terminal/text-width.ts';
import { type EditedSteps, type ParsedPlan, parsePlanText, planText } from './plan-text.ts';

/** The program as a plan sees it. Without an editor it can't be edited, without `submit` there are no commands. */
type PlanContext = Pick<MenuContext, 'capstan' | 'frame' | 'print' | 'fail' | 'redraw'> &
  Partial<Pick<MenuContext, 'editText' | 'submit'>>;

/** Opens the question whether a plan starts, and prints the plan. @param hasModel Whether words can change it. */
export function openPlanPart(
  approval: Approval,
  plan: PlanPreview,
  context: PlanContext,
  hasModel: boolean,
): QuestionPart {
  const { capstan, frame, print } = context;
  let line: Edited = nothingTyped;
  let draft: string | undefined;
  let steps: EditedSteps | undefined;
  let soon: NodeJS.Timeout | undefined;
  const { promise: done, resolve: close } = deferred<'answered' | 'skipped'>();
  const end = (how: 'answered' | 'skipped', words: string) => {
    clearTimeout(soon);
    if (words !== '') print(words);
    close(how);
  };
  const answer = async (given: 'approve' | 'deny', words: string) => {
    const { id, binding } = approval;
    const edited = given === 'approve' ? steps : undefined;
    await capstan.approvals.answer(id, { answer: given, by: 'terminal', binding, steps: edited });
    end('answered', words);
  };
  const change = async (text: string) => {
    if (!hasModel) return void print(NEEDS_MODEL);
    await capstan.runs.message(approval.runId, text, { by: 'terminal' });
    const { style, symbols } = frame();
    end('answered', `${style.bold(symbols.prompt)} ${escapeText(text)}\n  Planning again.`);
  };
  const editPlan = async () => {
    const before = draft ?? planText(plan);
    const saved = await context.editText?.(before, 'plan.txt');
    if (saved === undefined || saved === before) return;
    draft = saved;
    const parsed = parsePlanText(saved, plan);
    if ('steps' in parsed) steps = parsed.steps;
    print(editedLines(plan, parsed, frame()));
  };
  const { perform, isBusy } = oneAtATime(context);
  const works = {
    change,
    start: () => answer('approve', startsLine(frame())),
    drop: () => answer('deny', droppedLine(frame())),
    edit: editPlan,
    leave: async () => end('skipped', '  The plan waits: /approvals opens it again.'),
    command: async (text: string) => context.submit?.(text) ?? print(NO_COMMANDS),
  };
  /** Words can't change the plan, so a typed `y` or `n` answers without Enter, unless it begins a word. */
  const answerSoon = () => {
    const does = answers[line.text];
    if (does) soon = setTimeout(() => perform(works[does]), WORD_MS);
  };
  print(planLines(plan, frame()).join('\n'));

  return {
    draw: (now) => drawPlanLine(line, now, { canEdit: context.editText !== undefined, hasModel }),
    onKey(input: KeyInput) {
      const key = planKey(line, input);
      clearTimeout(soon);
      if (key.does === 'type') {
        const isTyped = !isPaste(input) && key.line.text !== line.text;
        line = key.line;
        if (isTyped && !hasModel) answerSoon();
      } else perform(() => ('text' in key ? works[key.does](key.text) : works[key.does]()));
      if (key.does === 'command') line = nothingTyped;
      context.redraw();
    },
    takesText: false,
    isAnswerKey: () => false,
    onText: () => {},
    // All keys belong to the plan: typed text changes it.
    isEditing: true,
    skip: () => end('skipped', ''),
    closeElsewhere(given, by) {
      if (!isBusy()) end('answered', elsewhereLine(given, by));
    },
    done,
  };
}

/** Letters that follow each other within this time belong to a word, in milliseconds. */
const WORD_MS = 300;

/** Performs one action at a time: others are ignored until it has ended. Errors are printed. */
function oneAtATime({ fail, redraw }: Pick<PlanContext, 'fail' | 'redraw'>) {
  let isBusy = false;
  const perform = (work: () => Promise<void>) => {
    if (isBusy) return;
    isBusy = true;
    void work()
      .catch(fail)
      .finally(() => {
        isBusy = false;
        redraw();
      });
  };
  return { perform, isBusy: () => isBusy };
}

const startsLine = ({ style, symbols }: Frame): string =>
  `${style.green(symbols.done)} The plan starts`;

const droppedLine = ({ style, symbols }: Frame): string =>
  `${style.red(symbols.failed)} Dropped: nothing was done`;

const NEEDS_MODEL =
  '  Changing a plan by words needs a model. Ctrl-G edits the plan, Esc drops it.';

const NO_COMMANDS =
  '  There are no commands here: Enter starts the plan, Esc drops it, Ctrl-D leaves it.';

const elsewhereLine = (answer: string, by: string): string =>
  `  ${answer === 'approve' ? 'Started' : 'Closed'} elsewhere: ${escapeText(by)}`;

function editedLines(plan: PlanPreview, parsed: ParsedPlan, frame: Frame): string {
  const { style, symbols } = frame;
  if ('problem' in parsed)
    return `${style.red(symbols.failed)} ${parsed.problem}\n  Ctrl-G opens it again.`;
  const lines = planLines(previewOf(plan, parsed.steps), frame);
  return ['  Your edited plan:', ...lines].join('\n');
}

/** Previews the edited steps. The capsule of a step that names none is chosen when it starts. */
function previewOf(plan: PlanPreview, steps: EditedSteps): PlanPreview {
  const shown = steps.map((step): PlanPreview['steps'][number] => {
    const before = plan.steps.find(({ id }) => id === step.id);
    const capsule = step.capsule ?? null;
    return {
      id: step.id,
      description: step.description,
      depends_on: step.depends_on ?? [],
      writes: step.writes ?? [],
      needs: step.needs ?? [],
      capsule,
      capsule_id: capsule ?? before?.capsule_id ?? null,
      route: capsule === null ? (before?.route ?? 'close') : 'named',
      hint: step.hint ?? null,
    };
  });
  return { ...plan, steps: shown };
}

interface PlanAbilities {
  readonly canEdit: boolean;
  readonly hasModel: boolean;
}

function drawPlanLine(line: Edited, frame: Frame, { canEdit, hasModel }: PlanAbilities): Drawn {
  const { lines, cursor } = drawInput(line, frame);
  const { style, symbols, width } = frame;
  const keys =
    line.text === ''
      ? [
          hasModel ? 'Enter starts it' : 'y or Enter starts it',
          ...(canEdit ? ['Ctrl-G edits it in $EDITOR'] : []),
          ...(hasModel ? ['type a change', 'Esc drops it'] : ['n or Esc drops it']),
        ]
      : [typedDoes(entered(line.text.trim()), hasModel), 'Esc drops the plan'];
  const hint = cutEnd(`  ${keys.join(symbols.separator)}`, width, symbols);
  return { lines: [...lines, style.dim(hint)], cursor };
}

/** What Enter does with typed text. */
function typedDoes({ does }: PlanKey, hasModel: boolean): string {
  if (does === 'start') return 'Enter starts the plan';
  if (does === 'drop') return 'Enter drops the plan';
  if (does === 'command') return 'Enter performs the command';
  return hasModel ? 'Enter sends the change' : 'Words change a plan only with a model';
}

/** What a key does while a plan waits for its answer. */
type PlanKey =
  | { readonly does: 'type'; readonly line: Edited }
  | { readonly does: 'change' | 'command'; readonly text: string }
  | { readonly does: 'start' | 'edit' | 'drop' | 'leave' };

/** Words that answer instead of changing the plan. */
const answers: Readonly<Record<string, 'start' | 'drop'>> = {
  ...{ y: 'start', yes: 'start', n: 'drop', no: 'drop' },
};

/** Interprets a key. Typed text is a change of the plan, unless it is `y`, `n` or a command. */
function planKey(line: Edited, input: KeyInput): PlanKey {
  const text = line.text.trim();
  if (isKey(input, 'enter')) return entered(text);
  if (isKey(input, 'esc')) return { does: 'drop' };
  if (isCtrl(input, 'g')) return { does: 'edit' };
  if (isCtrl(input, 'c') || isCtrl(input, 'd')) return leaveKey(line, input);
  return { does: 'type', line: edit(line, input) ?? line };
}

function entered(text: string): PlanKey {
  if (text === '') return { does: 'start' };
  const answer = answers[text.toLowerCase()];
  if (answer !== undefined) return { does: answer };
  return { does: text.startsWith('/') ? 'command' : 'change', text };
}

function leaveKey(line: Edited, input: KeyInput): PlanKey {
  if (line.text === '') return { does: 'leave' };
  return { does: 'type', line: isCtrl(input, 'c') ? nothingTyped : (edit(line, input) ?? line) };
}

type Step = PlanPreview['steps'][number];

/** Draws the steps of a plan with their capsule, model class and dependencies, then the forecast. Text is escaped. */
function planLines(
  plan: Pick<PlanPreview, 'phase' | 'steps' | 'forecast'>,
  frame: Frame,
): readonly string[] {
  const { width, symbols, style } = frame;
  const list = { width: width - 2, symbols, style, now: new Date(0), spinner: '', home: undefined };
  const rows = listLines(plan.steps, columnsOf(plan.steps), list);
  const first =
    plan.phase === 'discovery'
      ? ['  These steps only gather information; their results determine the next steps.']
      : [];
  return [...rows.flat().map((line) => `  ${line}`), ...first, `  ${forecastText(plan.forecast)}`];
}

const columnsOf = (steps: readonly Step[]): readonly ListColumn<Step>[] => [
  {
    name: 'description',
    cell: (step) => `${steps.indexOf(step) + 1} ${oneLine(step.description)}`,
    cut: 'text',
  },
  { name: 'capsule', cell: capsuleText, isAfterText: true, drop: 2 },
  { name: 'hint', cell: ({ hint }) => hint ?? '', isAfterText: true, drop: 0 },
  { name: 'after', cell: (step) => afterText(step, steps), isAfterText: true, drop: 1 },
];

function capsuleText({ capsule_id, route }: Step): string {
  if (route === 'create') return 'a new capsule (asks)';
  return capsule_id === null
    ? 'no capsule'
    : `${oneLine(capsule_id)}${route === 'close' ? '?' : ''}`;
}

function afterText({ depends_on }: Step, steps: readonly Step[]): string {
  const numbers = depends_on.flatMap((id) => {
    const at = steps.findIndex((step) => step.id === id);
    return at < 0 ? [] : [at + 1];
  });
  return numbers.length > 0 ? `after ${numbers.join(', ')}` : '';
}

import type { Approval } from '../../../contract/approval.ts';
import type { PlanPreview } from '../../../contract/plan-preview.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { forecastText } from '../../../contract/text/forecast-text.ts';
import { deferred } from '../../io/deferred.ts';
import { planTable } from '../../report/plan-table.ts';
import type { Frame } from '../frame.ts';
import type { MenuContext } from '../program/create-context.ts';
import type { QuestionPart } from '../question/question-part.ts';
import { isCtrl, isKey } from '../terminal/key.ts';
import { type EditedSteps, type ParsedPlan, parsePlanText, planText } from './plan-text.ts';

/** The program as a plan sees it. Without an editor it can't be edited. */
type PlanContext = Pick<MenuContext, 'capstan' | 'frame' | 'print' | 'fail' | 'redraw'> &
  Partial<Pick<MenuContext, 'editText'>>;

/** Opens the question whether a plan starts, and prints the plan. Typed text changes it, unless it is `y` or `n`. */
export function openPlanPart(
  approval: Approval,
  plan: PlanPreview,
  context: PlanContext,
): QuestionPart {
  const { capstan, frame, print } = context;
  let draft: string | undefined;
  let steps: EditedSteps | undefined;
  const { promise: done, resolve: close } = deferred<'answered' | 'skipped'>();
  const answer = async (given: 'approve' | 'deny', words: string) => {
    const { id, binding } = approval;
    const edited = given === 'approve' ? steps : undefined;
    await capstan.approvals.answer(id, { answer: given, by: 'terminal', binding, steps: edited });
    print(words);
    close('answered');
  };
  const change = async (text: string) => {
    const { run } = await capstan.runs.get(approval.runId);
    if (run.provider === 'offline') return print(NEEDS_MODEL);
    await capstan.runs.message(approval.runId, text, { by: 'terminal' });
    const { style, symbols } = frame();
    print(`${style.bold(symbols.prompt)} ${escapeText(text)}\n  Planning again.`);
    close('answered');
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
  const start = () => perform(() => answer('approve', startsLine(frame())));
  const drop = () => perform(() => answer('deny', droppedLine(frame())));
  print(planLines(plan, frame()).join('\n'));

  return {
    draw: () => ({ lines: [] }),
    onKey(input) {
      if (isKey(input, 'enter')) start();
      else if (isCtrl(input, 'g')) perform(editPlan);
    },
    takesText: true,
    isAnswerKey: (input) => isKey(input, 'enter'),
    onText(text) {
      if (/^y(es)?$/i.test(text)) start();
      else if (/^no?$/i.test(text)) drop();
      else if (text.startsWith('/')) print(NO_COMMAND);
      else perform(() => change(text));
    },
    hint: (isLineEmpty) => keysOf(isLineEmpty, context.editText !== undefined, frame()),
    isEditing: false,
    onEsc: drop,
    skip: () => close('skipped'),
    closeElsewhere(given, by) {
      if (isBusy()) return;
      print(elsewhereLine(given, by));
      close('answered');
    },
    done,
  };
}

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

const NO_COMMAND =
  '  That is no command: Enter starts the plan, Esc drops it, other words change it.';

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

function keysOf(isLineEmpty: boolean, canEdit: boolean, { symbols }: Frame): string {
  const edit = canEdit ? ['Ctrl-G edits it in $EDITOR'] : [];
  const keys = isLineEmpty
    ? ['Enter starts it', ...edit, 'type a change', 'Esc drops it']
    : ['Enter sends the change', 'Esc drops the plan'];
  return keys.join(symbols.separator);
}

/** Draws the steps of a plan, then the forecast. Text is escaped. */
function planLines({ phase, steps, forecast }: PlanPreview, { width }: Frame): readonly string[] {
  const first =
    phase === 'discovery'
      ? ['These steps only gather information; their results determine the next steps.']
      : [];
  const rows = planTable(steps, width - 2)
    .trimEnd()
    .split('\n');
  return [...rows, ...first, forecastText(forecast)].map((line) => `  ${line}`);
}

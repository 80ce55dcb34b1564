import type { RunDocument } from '../../../app/runs/show/run-document.ts';
import type { StartedRun } from '../../../app/runs/start/started-run.ts';
import type { CapstanEvent, ModelDelta } from '../../../contract/event.ts';
import type { Frame } from '../frame.ts';
import type { PartContext } from '../menu-context.ts';

/**
 * One run as it is drawn. The program opens one per run of this process (and per run that it follows), passes on every
 * event and delta in order, and calls `draw` whenever it draws. The part prints finished steps itself with
 * `context.print`; while a question has the focus the program holds prints back until it is answered or skipped, except
 * those of the question.
 *
 * Not the part's work: the input line, keys, the hint line, questions (`QuestionPart`), starting and stopping runs.
 */
export interface RunPart {
  onEvent(event: CapstanEvent): void;
  onDelta(delta: ModelDelta): void;
  /**
   * The live lines: unfinished steps, the tail of the streamed text, the budget line. At most `frame.rows` of them: it
   * gives way by itself, in the order of the layout rules, streamed text first, the budget never. With `isQuestion` only
   * working steps and the budget are drawn, since a question has the focus.
   */
  draw(frame: Frame, options: { readonly isQuestion: boolean }): readonly string[];
  /** Tab: shows the text of the next step that streams. Returns false if there is no other. */
  showNextStep(): boolean;
  /** Prints the result and the closing lines. Called once, last. */
  finish(document: RunDocument): Promise<void> | void;
}

/** The run as a part sees it: a started or a followed one. */
export type ShownRun = Pick<StartedRun, 'id' | 'sessionId' | 'workspace'> &
  Partial<Pick<StartedRun, 'provider' | 'isolation' | 'notices' | 'logLevel' | 'budgetUsd'>> & {
    readonly task: string;
    /** The run was parked or failed before, so its task and plan are on the screen already. */
    readonly isResumed: boolean;
  };

/** Opens the part of a run and prints its first line: model, sandbox, budget, id. */
export type OpenRunPart = (run: ShownRun, context: PartContext) => RunPart;

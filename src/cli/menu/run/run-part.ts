import type { RunDocument } from '../../../app/runs/show/run-document.ts';
import type { StartedRun } from '../../../app/runs/start/started-run.ts';
import type { CapstanEvent, ModelDelta } from '../../../contract/event.ts';
import type { Frame } from '../frame.ts';
import type { PartContext } from '../menu-context.ts';

/**
 * Draws one run. The program opens a part for each run that it executes or follows, passes on every event and delta in
 * order, and calls `draw` for each frame. The part prints finished steps with `context.print`. While a question has the
 * focus, the program holds this output until the question is answered or skipped.
 *
 * The part does not handle the input line, keys, the hint line, questions (see `QuestionPart`), or starting and stopping.
 */
export interface RunPart {
  onEvent(event: CapstanEvent): void;
  onDelta(delta: ModelDelta): void;
  /**
   * Draws at most `frame.rows` lines: unfinished steps, the end of the streamed text, the budget. With `isQuestion`, only
   * working steps and the budget are drawn, because a question has the focus.
   */
  draw(frame: Frame, options: { readonly isQuestion: boolean }): readonly string[];
  /** Tab: shows the text of the next step that streams. Returns false if there is no other. */
  showNextStep(): boolean;
  /** Prints the result and the closing lines. Called once, last. */
  finish(document: RunDocument): Promise<void> | void;
}

/** A started or followed run that a part shows. */
export type ShownRun = Pick<StartedRun, 'id' | 'sessionId' | 'workspace'> &
  Partial<Pick<StartedRun, 'provider' | 'isolation' | 'notices' | 'logLevel' | 'budgetUsd'>> & {
    readonly task: string;
    /** The run was parked or failed before, so its task and plan are on the screen already. */
    readonly isResumed: boolean;
  };

/** Opens the part of a run and prints its first line: model, sandbox, budget, id. */
export type OpenRunPart = (run: ShownRun, context: PartContext) => RunPart;

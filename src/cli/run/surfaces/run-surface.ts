import type { RunDocument } from '../../../app/runs/show/run-document.ts';
import type { RunOptions, StartedRun } from '../../../app/runs/start/started-run.ts';
import type { CapstanEvent, TextDelta } from '../../../contract/event.ts';
import type { RunChanges } from '../../report/changed-files.ts';

/** The output of one run: lines in a pipe, or a live view. */
export interface RunSurface {
  /** Called once, before the first event. */
  begin(run: StartedRun, isResumed: boolean): Promise<void>;
  onEvent(event: CapstanEvent): void;
  onDelta(delta: TextDelta): void;
  readonly onProgress: NonNullable<RunOptions['onProgress']>;
  /** Prints the answer and the last lines. */
  end(
    document: RunDocument,
    /** `changes` undefined: not known. */
    facts: { readonly changes: RunChanges | undefined; readonly exitCode: number },
  ): void | Promise<void>;
  close(): void;
}

import type { Capstan } from '../../../app/open-capstan.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { createTerminalApprover } from '../../approval/terminal-approver.ts';
import type { CommandIo } from '../../command.ts';
import { isShownAt, type LogLevel } from '../../options/log-level.ts';
import { briefWords, sentenceWords } from '../../report/lines/line-words.ts';
import { createRunLines } from '../../report/lines/run-lines.ts';
import { printResult } from '../../report/print-result.ts';
import type { Style } from '../../text/style.ts';
import { noticesOf } from '../notices-of.ts';
import type { ShowOptions } from '../show-options.ts';
import type { RunSurface } from './run-surface.ts';

interface TextSurfaceOptions {
  readonly io: CommandIo;
  readonly style: Style;
  readonly options: ShowOptions;
  readonly canAsk: boolean;
}

/** Shows a run as lines on stderr and its answer on stdout; at a terminal it asks the questions too. */
export function openTextSurface(
  capstan: Pick<Capstan, 'approvals' | 'runs'>,
  { io, style, options, canAsk }: TextSurfaceOptions,
): RunSurface {
  const { isQuiet, isPlain } = options;
  const words = isPlain ? sentenceWords : briefWords;
  const { approvals } = capstan;
  const approver = canAsk ? createTerminalApprover({ io, style, approvals }) : undefined;
  const write = approver?.stderr ?? io.stderr;
  let lines: ReturnType<typeof createRunLines> | undefined;
  let level: LogLevel = 'error';

  return {
    onProgress: () => {},
    async begin(run, isResumed) {
      const noticeLevel = options.logLevel ?? run.logLevel;
      level = isQuiet ? 'error' : noticeLevel;
      // An earlier process planned its steps.
      const known = isResumed ? (await capstan.runs.get(run.id)).document.subtasks : [];
      lines = createRunLines(write, {
        ...{ style, level, noticeLevel, words, known },
        asking: approver,
        head: { id: run.id, isolation: run.isolation },
      });
      if (isShownAt('warn', noticeLevel))
        for (const notice of noticesOf(run))
          write(`${style.yellow(words.notice(escapeText(notice, true)))}\n`);
    },
    onEvent(event) {
      lines?.onEvent(event);
      approver?.onEvent(event);
    },
    onDelta: () => {},
    end(document, { changes, exitCode }) {
      lines?.showFailure(document.error?.message);
      lines?.close();
      printResult(document, { io, write, level, changes, exitCode, isPlain });
    },
    close: () => lines?.close(),
  };
}

import { join } from 'node:path';

/** The end of a program's error output. */
export interface ErrorOutputSummary {
  /** The last lines. */
  readonly text: string;
  /** `/…/mine/main.py:12`: the line of the capsule that failed; undefined if none is named. */
  readonly where: string | undefined;
  /** Whether the sandbox refused something. */
  readonly isRefusal: boolean;
}

const MAX_LINES = 20;

/** Summarizes the error output of a capsule in `dir`, which the capsule may see as `/capsule`. */
export function summarizeErrorOutput(stderr: string, dir: string): ErrorOutputSummary {
  const all = stderr.trim();
  const text = all.split('\n').slice(-MAX_LINES).join('\n');
  return { text, where: whereIn(all, dir), isRefusal: refusals.test(all) };
}

/** System errors when a capsule writes a file, opens a connection or starts a process. */
const refusals =
  /[Rr]ead-only file system|EROFS|Operation not permitted|EPERM|Permission denied|EACCES|Network is unreachable|name resolution|EAI_AGAIN/;

function whereIn(text: string, dir: string): string | undefined {
  const own = text.replaceAll(`${dir}/`, '/capsule/');
  // Python names the innermost call last, Node first. A shell names the file as it was started.
  const python = [...own.matchAll(/File "(?:\/capsule\/)?([\w./-]+)", line (\d+)/g)]
    .filter(([, file = '']) => !file.startsWith('/'))
    .at(-1);
  const [, file, line] =
    python ??
    /\/capsule\/([\w./-]+):(\d+)/.exec(own) ??
    /^([\w-][\w./-]*): line (\d+):/m.exec(own) ??
    [];
  return file === undefined || file.includes('..') ? undefined : `${join(dir, file)}:${line}`;
}

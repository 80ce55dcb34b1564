import { join } from 'node:path';

/** What a program wrote to its error output last, as far as an author can use it. */
export interface LastWords {
  /** The last lines. */
  readonly text: string;
  /** `/…/mine/main.py:12`: the line of the capsule's own that broke; undefined where none is named. */
  readonly where: string | undefined;
  /** Whether the sandbox refused something. */
  readonly isRefusal: boolean;
}

const MOST_LINES = 20;

/** Reads the end of the error output of a capsule in `dir`, which it may know as `/capsule`. */
export function lastWordsOf(stderr: string, dir: string): LastWords {
  const all = stderr.trim();
  const text = all.split('\n').slice(-MOST_LINES).join('\n');
  return { text, where: whereIn(all, dir), isRefusal: refusals.test(all) };
}

/** What the system says where a capsule writes a file, opens a connection or starts a process. */
const refusals =
  /[Rr]ead-only file system|EROFS|Operation not permitted|EPERM|Permission denied|EACCES|Network is unreachable|name resolution|EAI_AGAIN/;

function whereIn(text: string, dir: string): string | undefined {
  const own = text.replaceAll(`${dir}/`, '/capsule/');
  // Python tells the innermost call last, Node first; a shell gives the file as it was started.
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

import { randomUUID } from 'node:crypto';
import type { Argv } from '../../runtime/sandbox/sandbox.ts';

/** Maximum number of reported paths. */
const MAX_PATHS = 100;

/**
 * `$1` is the line before the report, `$2` the places, one a line; then the command. A place that ends with a slash stands
 * for all that is directly in it, any other for what begins with it. The report is the home, what was there before the
 * command, and what is there after it.
 */
const SCRIPT = `mark=$1 places=$2; shift 2
show() { if [ -e "$1" ] || [ -L "$1" ]; then n=$((n + 1)); [ $n -gt ${MAX_PATHS} ] || echo "$1"; fi; }
look() {
  IFS='
'; set -f; set -- $places; set +f; n=0
  for place; do
    case $place in "~"*) place=$HOME\${place#"~"};; esac
    for path in "$place"*; do show "$path"; done
    case $place in */) for path in "$place".[!.]*; do show "$path"; done;; esac
  done
}
before=$(look)
(exec "$@"); code=$?
after=$(look)
[ "$before" = "$after" ] || printf '\\n%s\\n%s\\n%s\\n%s\\n%s\\n' "$mark" "$HOME" "$before" "$mark" "$after" >&2
exit $code`;

/**
 * Runs a command that reports on stderr which files of private folders it made.
 *
 * @param places At least one, as `namedPlaces` gives them.
 */
export function watchPlaces(argv: Argv, places: readonly string[]) {
  const mark = `places-${randomUUID()}`;
  const watching: Argv = ['/bin/sh', '-c', SCRIPT, 'sh', mark, places.join('\n'), ...argv];
  return {
    argv: watching,
    /** Splits stderr into the output of the command and the report: paths that were created; `~` is the home. */
    read(stderr: string): { readonly stderr: string; readonly made: readonly string[] } {
      const at = stderr.indexOf(`\n${mark}\n`);
      if (at === -1) return { stderr, made: [] };
      const [, before = '', after = ''] = stderr.slice(at).split(`${mark}\n`);
      const [home = '', ...there] = before.split('\n');
      const made = after.split('\n').filter((path) => path !== '' && !there.includes(path));
      const shown = (path: string) =>
        path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
      return { stderr: stderr.slice(0, at), made: [...new Set(made.map(shown))] };
    },
  };
}

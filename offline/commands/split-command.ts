/**
 * The words of a plain command line, or undefined if only a shell can read it: pipes, redirections, variables,
 * globs, several commands, assignments in front.
 */
export function splitCommand(line: string): readonly string[] | undefined {
  if (/[|&;<>()$`\\*?[\]{}~#!\n\r]/.test(line) || /^\s*[A-Za-z_]\w*=/.test(line)) return undefined;
  const words: string[] = [];
  const word = /\s*((?:"[^"]*"|'[^']*'|[^\s"'])+)/y;
  let at = 0;
  for (let match = word.exec(line); match !== null; match = word.exec(line)) {
    words.push(
      (match[1] ?? '').replaceAll(
        /"([^"]*)"|'([^']*)'/g,
        (_all, double, single) => double ?? single,
      ),
    );
    at = word.lastIndex;
  }
  return line.slice(at).trim() === '' && words.length > 0 ? words : undefined;
}

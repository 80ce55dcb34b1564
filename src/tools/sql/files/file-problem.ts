/** A file that can't be read as its format says. The message names the file and, where one is known, the line. */
export class FileProblem extends Error {
  constructor(file: string, problem: string, line?: number) {
    super(line === undefined ? `"${file}": ${problem}` : `"${file}", line ${line}: ${problem}`);
  }
}

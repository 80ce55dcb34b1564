/** A file that can't be read in its format. The message names the file and, if known, the line. */
export class FileProblem extends Error {
  constructor(file: string, problem: string, line?: number) {
    super(line === undefined ? `"${file}": ${problem}` : `"${file}", line ${line}: ${problem}`);
  }
}

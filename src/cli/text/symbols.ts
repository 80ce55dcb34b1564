/** The symbols of the terminal. Each stands beside a word that says the same. */
export interface Symbols {
  readonly done: string;
  readonly failed: string;
  readonly parked: string;
  readonly notice: string;
}

const unicode: Symbols = { done: '✓', failed: '✗', parked: '‖', notice: '!' };
const ascii: Symbols = { done: '+', failed: 'x', parked: '=', notice: '!' };

/** ASCII if the locale is not UTF-8, on the Linux console, or with `CAPSTAN_ASCII=1`. No locale at all counts as UTF-8. */
export function symbolsFor(environment: NodeJS.ProcessEnv): Symbols {
  const locale = environment['LC_ALL'] || environment['LC_CTYPE'] || environment['LANG'] || 'UTF-8';
  const isAscii =
    environment['CAPSTAN_ASCII'] === '1' ||
    environment['TERM'] === 'linux' ||
    !/utf-?8/i.test(locale);
  return isAscii ? ascii : unicode;
}

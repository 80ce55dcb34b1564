import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivateFile } from '../../platform/files/private-file.ts';
import { sha256 } from '../../platform/text/canonical-hash.ts';
import { tryOr } from '../../platform/try-or.ts';

export type LinkFiles = ReturnType<typeof createLinkFiles>;

/**
 * Pages that lead a browser to a link with a one-time code: every user of the machine can read the arguments of a program.
 *
 * @param folder Holds nothing else. Created with mode 0700; each page has mode 0600.
 */
export function createLinkFiles(folder: string) {
  const pathOf = (code: string) => join(folder, `${sha256(code).slice(0, 16)}.html`);
  return {
    /** Returns the path of the page for this link. @throws AppError `PLACE_UNUSABLE`. */
    write(link: string, code: string) {
      const path = pathOf(code);
      writePrivateFile(path, pageOf(link));
      return path;
    },
    remove: (code: string) => rmSync(pathOf(code), { force: true }),
    /** Removes the pages that are at least this old. */
    removeOlder(ms: number) {
      for (const name of tryOr(() => readdirSync(folder), [])) {
        const path = join(folder, name);
        const writtenAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
        if (Date.now() - writtenAt >= ms) rmSync(path, { force: true });
      }
    },
  };
}

/** Without a script, which a browser may refuse in a file. */
const pageOf = (link: string) => `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0;url=${link}">
<title>Capstan</title>
<p><a href="${link}">Open the dashboard of Capstan</a></p>
`;

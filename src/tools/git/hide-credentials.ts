/**
 * A text of Git's configuration without the lines that hold a credential: headers of requests, passwords and tokens,
 * helpers that know a password, and URLs with a user. A section whose name holds one is left out as a whole.
 *
 * @returns The same text where it holds none.
 */
export function hideGitCredentials(text: string): string {
  let isHidden = false;
  return linesOf(text)
    .map((line) => {
      const header = /^\s*\[(?:"(?:\\.|[^"\\])*"|[^\]"])*\]/.exec(line)?.[0];
      if (header !== undefined) isHidden = isSecretSection(header);
      if (isHidden) return '';
      const entry = header === undefined ? line : line.slice(header.length);
      if (!holdsCredential(entry)) return line;
      return header === undefined ? '' : `${header}\n`;
    })
    .join('');
}

/** With their line ends; a backslash before a line end makes the next line a part of the same one. */
const linesOf = (text: string): readonly string[] =>
  text.match(/(?:[^\n\\]|\\(?:\r\n|[\s\S]|$))*(?:\n|$)/g) ?? [];

const isSecretSection = (header: string): boolean =>
  /^\s*\[\s*credential\b/i.test(header) || hasUser(plain(header));

/** Each physical line counts as well: what ends a comment with a backslash goes on in a line of its own. */
const holdsCredential = (entry: string): boolean =>
  [entry, ...entry.split('\n')].some((line) => {
    const words = plain(line);
    return secretKey.test(words) || secretValue.test(words) || hasUser(words);
  });

/** Quotes and escapes may stand anywhere in a value, and mean nothing here. */
const plain = (line: string): string => line.replace(/\\\r?\n|["\\]/g, '');

/** Also in a comment. */
const secretKey =
  /^[\s#;]*[\w.-]*(?:extraheader|pass(?:word|wd|phrase)?|token|secret|api-?key|cookie)[\w-]*\s*=/i;
const secretValue =
  /\b(?:authorization|private-token|job-token|x-[\w-]*token)\s*:|\bbearer\s+\S|\bpassword\s*=/i;

/** In SSH a user is no credential, and a password may be one. */
const hasUser = (words: string): boolean =>
  [...words.matchAll(/([a-z][a-z0-9+.-]*):\/\/([^/\n]*)@/gi)].some(
    ([, scheme = '', user = '']) => !/ssh$|^git$|^file$/i.test(scheme) || user.includes(':'),
  );

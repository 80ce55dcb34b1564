import { readStart, startOf } from '../../platform/files/plain-file.ts';
import { codeOf } from '../../platform/try-or.ts';

/** Longer files are not examined, in bytes. */
const MAX_CONFIG_BYTES = 1024 * 1024;

type Shown = Buffer | 'unreadable' | undefined;

/**
 * The content of a file of Git configuration without its credentials, which tools see in place of the file.
 *
 * @param fd An open regular file.
 * @returns Undefined if it has no credentials, so that tools see it unchanged; `unreadable` if it is too long.
 */
export const shownCopy = (fd: number): Shown => shownOf(startOf(fd, MAX_CONFIG_BYTES + 1));

/** The same of a path, which may be anything; undefined also where there is nothing. */
export function copyAt(path: string): Shown {
  try {
    const content = readStart(path, MAX_CONFIG_BYTES + 1);
    return content && shownOf(content);
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? undefined : 'unreadable';
  }
}

function shownOf(content: Buffer): Shown {
  if (content.length > MAX_CONFIG_BYTES) return 'unreadable';
  // One character for each byte: whatever the encoding is, the rest stays as it is.
  const text = content.toString('latin1');
  const shown = hideGitCredentials(text);
  return shown === text ? undefined : Buffer.from(shown, 'latin1');
}

/**
 * Removes the lines with credentials from Git configuration: request headers, passwords and tokens, helpers with a password,
 * URLs with a user or with a token in the query. A section with a credential in its name is removed as a whole.
 *
 * @returns The same text if it has none.
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

/** Lines with their line ends. A backslash before the line end continues the line. */
const linesOf = (text: string): readonly string[] =>
  text.match(/(?:[^\n\\]|\\(?:\r\n|[\s\S]|$))*(?:\n|$)/g) ?? [];

const isSecretSection = (header: string): boolean =>
  /^\s*\[\s*credential\b/i.test(header) || isSecretValue(plain(header));

/** Also checks each physical line: after a comment that ends with a backslash, the next line stands alone. */
function holdsCredential(entry: string): boolean {
  const lines = entry.split('\n').filter((line) => line !== '');
  return (lines.length > 1 ? [entry, ...lines] : lines).some((line) => {
    const words = plain(line);
    return isSecretKey(words) || isSecretValue(words);
  });
}

/** Without quotes and escapes, which may be anywhere in a value. */
const plain = (line: string): string => line.replace(/\\\r?\n|["\\]/g, '');

/** Also in a comment. */
function isSecretKey(words: string): boolean {
  const [, key = '', value = ''] = /^[\s#;]*([\w.-]+)\s*=(.*)/s.exec(words) ?? [];
  return secretKey.test(key) || (/proxy$/i.test(key) && value.includes('@'));
}
const secretKey = /extraheader|pass|token|secret|api-?key|cookie/i;

const isSecretValue = (words: string): boolean =>
  secretValues.some((one) => one.test(words)) || hasUser(words) || hasPassword(words);

/** Headers, variables, parameters of a query, options of programs. Each repetition is bounded: a line may be long. */
const secretValues = [
  /\b(?:authorization|private-token|job-token|x-[\w-]{0,64}token)\s{0,9}:|\bbearer\s+\S/i,
  /\b[\w-]{0,64}(?:pass|passwd|password|passphrase|token|secret|api[-_]?key)\s{0,9}=/i,
  /[?&;][\w.-]{0,64}(?:token|key|secret|pass|pwd|auth|signature|sig)[\w.-]{0,64}=/i,
  /(?:^|\s)--?[\w-]{0,64}(?:pw|pass|passwd|password|token|secret|api-?key)[\s=]/i,
  /\bsshpass\s(?:.{0,200}\s)?-[a-z]{0,9}p/i,
  /\s-u\s?[^\s:]{1,999}:\S/,
];

/** The user of an SSH URL is not a credential; a password is. */
const hasUser = (words: string): boolean =>
  [...words.matchAll(/([a-z][a-z0-9+.-]{0,30}):\/\/([^/\n]*)@/gi)].some(
    ([, scheme = '', user = '']) => !/ssh$|^git$|^file$/i.test(scheme) || user.includes(':'),
  );

/** `ada:password@host`, without a scheme. In `git@host:path` there is none, nor in a refspec or a condition. */
const hasPassword = (words: string): boolean =>
  words.split(/\s+/).some((word) => {
    const colon = word.indexOf(':');
    return colon >= 0 && word.lastIndexOf('@') > colon + 1 && !/:\/\/|:refs\/|^gitdir/i.test(word);
  });

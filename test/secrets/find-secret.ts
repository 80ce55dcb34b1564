import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** As many characters of a secret as may not be found either: a part of one is a leak, too. */
const PART_CHARS = 16;

/**
 * Every file below a folder that contains a secret, its first or its last 16 characters, in its name or its bytes: as it is, escaped
 * as in JSON, or in base64 at any offset.
 *
 * @returns Paths, each with the form that was found.
 */
export function findSecret(dir: string, secrets: readonly string[]): readonly string[] {
  const forms = secrets.flatMap((secret) => [
    ...formsOf(secret),
    ...formsOf(secret.slice(0, PART_CHARS)),
    ...formsOf(secret.slice(-PART_CHARS)),
  ]);
  return readdirSync(dir, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
    const path = join(dir, name);
    const bytes = statSync(path).isFile() ? readFileSync(path) : Buffer.alloc(0);
    return forms
      .filter(([, text]) => bytes.includes(text) || name.includes(text))
      .map(([form, text]) => `${name} (${form}: ${excerpt(bytes, text)})`);
  });
}

function formsOf(secret: string): (readonly [form: string, text: string])[] {
  const escaped = JSON.stringify(secret).slice(1, -1);
  return [
    ['raw', secret],
    ...(escaped === secret ? [] : [['JSON', escaped] as const]),
    ...[0, 1, 2].map((offset) => [`base64+${offset}`, base64At(secret, offset)] as const),
  ];
}

/** The base64 characters that depend on the secret only, if it begins at this offset. */
function base64At(secret: string, offset: number): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
  const whole = Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 3)));
  return whole.toString('base64').slice(offset === 0 ? 0 : 4);
}

/** The text before the match, for the message of a test. */
function excerpt(bytes: Buffer, text: string): string {
  const at = bytes.indexOf(text);
  return JSON.stringify(bytes.subarray(Math.max(0, at - 80), at + text.length).toString('latin1'));
}

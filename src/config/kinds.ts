import { either } from '../contract/text/either.ts';
import { vendorNames } from '../contract/vendors.ts';

/** A value as written in a file, the environment or an option. */
export type Raw = string | readonly string[];

/** How the value of a setting is written and parsed. */
export interface Kind<T> {
  /** The value; undefined if it is written in another way. */
  read(raw: Raw): T | undefined;
  /** Completes "must be …", with range and unit. */
  readonly expects: string;
  /** The values of a choice, for did-you-mean. */
  readonly choices?: readonly string[];
  /** Separates the items of a list in one line. */
  readonly separator?: RegExp;
  readonly isPath?: boolean;
}

interface Range {
  readonly min: number;
  readonly max: number;
}

/** A number in some unit, stored as the multiple of it, rounded unless the factor is 1. */
const scaled =
  (form: RegExp, unit: string, factor: number) =>
  ({ min, max }: Range): Kind<number> =>
    one(`${unit} from ${min} to ${max}`, (written) => {
      const value = Number(written);
      const isValid = form.test(written) && value >= min && value <= max;
      if (!isValid) return undefined;
      return factor === 1 ? value : Math.round(value * factor);
    });

/** Stored in milliseconds. */
export const seconds = scaled(/^\d+(\.\d+)?$/, 'a number of seconds', 1_000);

/** Stored in milliseconds. */
export const days = scaled(/^\d+(\.\d+)?$/, 'a number of days', 86_400_000);

/** Stored in micro-dollars. */
export const dollars = scaled(/^\d+(\.\d{1,6})?$/, 'a number of US dollars', 1_000_000);

export const count = scaled(/^\d+$/, 'a whole number', 1);

/** Stored in bytes. */
export const mebibytes = scaled(/^\d+$/, 'a whole number', 1024 ** 2);

export const fraction = scaled(/^\d+(\.\d+)?$/, 'a number', 1);

const byteUnits = new Map([
  ['', 1],
  ['KiB', 1024],
  ['MiB', 1024 ** 2],
  ['GiB', 1024 ** 3],
]);

const sizeText = (size: number): string => {
  const unit = [...byteUnits].findLast(([, factor]) => size >= factor && size % factor === 0);
  return unit ? `${size / unit[1]} ${unit[0] || 'bytes'}` : `${size}`;
};

/** Bytes, or a number with the unit KiB, MiB or GiB. Stored in bytes. */
export const bytes = ({ min, max }: Range): Kind<number> =>
  one(
    `a size from ${sizeText(min)} to ${sizeText(max)}: bytes, or a whole number with KiB, MiB or GiB`,
    (written) => {
      const [, number, unit = ''] = /^(\d+) ?(KiB|MiB|GiB)?$/.exec(written) ?? [];
      const value = Number(number) * (byteUnits.get(unit) ?? Number.NaN);
      return value >= min && value <= max ? value : undefined;
    },
  );

export const choice = <const T extends string>(...choices: readonly T[]): Kind<T> => ({
  read: (raw) => choices.find((one) => one === raw),
  expects: either(choices),
  choices,
});

/** One word, such as the name of a model. */
export const word = (expects: string): Kind<string> =>
  one(expects, (written) => (/^\S{1,200}$/.test(written) ? written : undefined));

/** A vendor's key: printable ASCII, as in HTTP headers. */
export const key: Kind<string> = one('up to 500 printable ASCII characters without spaces', (it) =>
  /^[\x21-\x7e]{1,500}$/.test(it) ? it : undefined,
);

export const path: Kind<string> = {
  ...one('a path', (written) => (written.length <= 4_096 ? written : undefined)),
  isPath: true,
};

/** An `http:` or `https:` address. The trailing slash is removed. */
export const url: Kind<string> = one(
  'an http:// or https:// address without user, query and fragment',
  (written) => {
    const address = parseHttp(written);
    if (!address || address.username || address.password) return undefined;
    if (address.search || address.hash) return undefined;
    return address.href.replace(/\/+$/, '');
  },
);

/** As Ollama's own tools read it: `127.0.0.1`, `box:11434`, `http://box:11434`. */
export const ollamaUrl: Kind<string> = one('a host, host:port or an http:// address', (written) => {
  const hasScheme = /^https?:\/\//i.test(written);
  const host = written.startsWith(':') ? `127.0.0.1${written}` : written;
  const address = parseHttp(hasScheme ? written : `http://${host}`);
  if (!address || address.username || address.search || address.hash) return undefined;
  // Servers can listen on these addresses, but clients can't connect to them.
  if (address.hostname === '0.0.0.0') address.hostname = '127.0.0.1';
  if (address.hostname === '[::]') address.hostname = '[::1]';
  if (!hasScheme && !address.port && !/:80\/?$/.test(written)) address.port = '11434';
  return address.href.replace(/\/+$/, '');
});

/** A proxy: an address, or a host with its port; may contain a user and a password. */
export const proxyUrl: Kind<string> = one(
  'an http:// or https:// address, or host:port',
  (written) => {
    const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(written);
    if (!hasScheme && !/:\d+\/?$/.test(written)) return undefined;
    return parseHttp(hasScheme ? written : `http://${written}`)?.href.replace(/\/+$/, '');
  },
);

const hostPattern =
  /^(\*\.)?[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*(:\d{1,5})?$/;

export const hosts: Kind<readonly string[]> = list(
  /[\s,]+/,
  'host names such as example.com, example.com:8080 or *.example.com, separated by commas',
  (written) => {
    const host = written.toLowerCase();
    return host.length <= 260 && hostPattern.test(host) ? host : undefined;
  },
);

export const origins: Kind<readonly string[]> = list(
  /[\s,]+/,
  'exact origins such as http://127.0.0.1:8080, separated by commas',
  (written) => {
    const address = parseHttp(written);
    if (!address || address.username || address.password || written.includes('*')) return undefined;
    return /^https?:\/\/[^/?#]+\/?$/i.test(written) ? address.origin : undefined;
  },
);

const vendorModel = new RegExp(`^(?:${vendorNames.join('|')}):\\S{1,200}$`);

/** Models as `vendor:model`; the model may contain colons. */
export const vendorModels: Kind<readonly string[]> = list(
  /[\s,]+/,
  `models such as anthropic:claude-haiku-4-5 or ollama:qwen3:8b (${vendorNames.slice(0, -1).join(', ')} or ${vendorNames.at(-1)}), separated by commas`,
  (written) => (vendorModel.test(written) ? written : undefined),
);

/** In one line, paths are separated by colons, as in PATH. */
export const paths: Kind<readonly string[]> = {
  ...list(/:+/, 'paths, separated by colons', (written) =>
    written.length <= 4_096 ? written : undefined,
  ),
  isPath: true,
};

/** Words, such as the hosts of NO_PROXY. */
export const words: Kind<readonly string[]> = list(
  /[\s,]+/,
  'words, separated by commas',
  (written) => written,
);

function one<T>(expects: string, read: (written: string) => T | undefined): Kind<T> {
  return { read: (raw) => (typeof raw === 'string' ? read(raw) : undefined), expects };
}

const MAX_ITEMS = 1_000;

function list(
  separator: RegExp,
  expects: string,
  read: (written: string) => string | undefined,
): Kind<readonly string[]> {
  const readAll = (raw: Raw) => {
    const items = itemsOf(raw, separator);
    const values = items.map(read).filter((value) => value !== undefined);
    return values.length === items.length && items.length <= MAX_ITEMS ? values : undefined;
  };
  return { read: readAll, expects, separator };
}

/** The items of a list as written, in one line or one by one. */
export const itemsOf = (raw: Raw, separator: RegExp): readonly string[] =>
  (typeof raw === 'string' ? raw.split(separator) : raw).map((one) => one.trim()).filter(Boolean);

function parseHttp(written: string): URL | undefined {
  if (written.length > 2_000 || /\s/.test(written)) return undefined;
  if (!URL.canParse(written)) return undefined;
  const address = new URL(written);
  return /^https?:$/.test(address.protocol) && address.hostname !== '' ? address : undefined;
}

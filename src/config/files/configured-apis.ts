import { join } from 'node:path';
import { parseEnv } from 'node:util';
import * as z from 'zod';
import { printable } from '../../contract/text/printable.ts';
import { providerNames } from '../../contract/vendors.ts';
import { METHODS, ownHeaders } from '../../contract/wire/protocol.ts';
import { type Environment, expandPath, homeOf } from '../places.ts';
import { type Problem, settingsInvalid } from '../read/given.ts';
import { type PlaceOf, readStrictYaml } from '../yaml/strict-yaml.ts';
import { readTextFile } from '../yaml/text-file.ts';

/** The place of a service's credential in a request. */
export type CredentialPlace =
  | { readonly in: 'header'; readonly name: string; readonly scheme: string | undefined }
  | { readonly in: 'query'; readonly name: string };

export interface Credential {
  readonly place: CredentialPlace;
  readonly secret: string;
}

/** A service of the person's `services.yaml`, with its credential. */
export interface ServiceSetting {
  readonly name: string;
  /** `https://api.example.com`, as `URL.origin` gives it. */
  readonly origin: string;
  readonly credential: Credential | undefined;
  /** The price of one call; 0: free. */
  readonly priceMicroUsd: number;
  readonly methods: readonly string[];
  /** `/v1/forecast` is that path; `/v1/**` everything below it. */
  readonly paths: readonly string[];
}

export interface LoadedServices {
  readonly services: readonly ServiceSetting[];
  /** Notices, one sentence each. */
  readonly notices: readonly string[];
}

/** Names that are used for other payments and breakers. */
const takenNames: ReadonlySet<string> = new Set([...providerNames, 'coordinator']);

const serviceName = z
  .string()
  .max(64)
  .regex(/^[a-z][a-z0-9]*([-_][a-z0-9]+)*$/, 'write lower-case words joined by - or _')
  .refine((name) => !takenNames.has(name), 'that is the name of a provider; write another');

const textOf = (form: RegExp, message: string) => z.string(message).regex(form, message);

const headerName = textOf(
  /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/,
  'write the name of a header',
).refine((name) => !ownHeaders.test(name), 'the connection itself sets that header; write another');

const Auth = z
  .strictObject({
    header: headerName.optional(),
    scheme: textOf(/^[A-Za-z][A-Za-z0-9-]{0,30}$/, 'write a word such as Bearer').optional(),
    query: textOf(/^[A-Za-z0-9._~-]{1,100}$/, 'write the name of a parameter').optional(),
    env: textOf(/^[A-Za-z_]\w*$/, 'write the name of an environment variable').optional(),
    file: textOf(/./, 'write the path of a file').optional(),
  })
  .superRefine(({ header, query, env, file, scheme }, context) => {
    const say = (message: string) => context.addIssue({ code: 'custom', message });
    if ((header === undefined) === (query === undefined)) say('write header or query, one of them');
    if ((env === undefined) === (file === undefined)) say('write env or file, one of them');
    if (scheme !== undefined && header === undefined) say('scheme is only valid with header');
  });

const Service = z.strictObject(
  {
    origin: z.string('write an origin such as https://api.example.com').superRefine(checkOrigin),
    auth: Auth.optional(),
    price_usd: z
      .number('write what one call costs in dollars, 0 if it is free')
      .nonnegative('at least 0')
      .max(1_000, 'at most 1000'),
    methods: z
      .array(z.enum(METHODS, `write one of ${METHODS.join(', ')}`))
      .min(1, 'write at least one method')
      .default(['GET', 'HEAD']),
    paths: z
      .array(
        z
          .string()
          .max(500)
          .regex(/^\/[^?#\s*\\]*(\*\*)?$/, 'write a path such as /v1/forecast or /v1/**'),
      )
      .min(1, 'write at least one path')
      .default(['/**']),
  },
  'write origin and price_usd',
);
type Service = z.output<typeof Service>;

const File = z.strictObject({
  services: z.record(serviceName, Service, 'write services: <name>: {origin, price_usd}'),
});

const fields = ['services', ...Object.keys(Service.shape), ...Object.keys(Auth.shape)];

function checkOrigin(text: string, context: z.core.$RefinementCtx<string>): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isOrigin = url !== undefined && (text === url.origin || text === `${url.origin}/`);
  const isHttp = url?.protocol === 'https:' || url?.protocol === 'http:';
  const message = 'write scheme, host and port only, such as https://api.example.com';
  if (!isOrigin || !isHttp) context.addIssue({ code: 'custom', message });
}

export interface ServicesPlaces {
  readonly configDir: string;
  readonly environment: Environment;
  /** Origins of private hosts that the person allowed; plain http is allowed only there. */
  readonly privateOrigins: readonly string[];
}

/**
 * The services of `services.yaml` in the user's settings folder, with their credentials from the environment, the
 * person's `.env`, or key files. A project can't name any.
 *
 * @throws AppError `SETTINGS_INVALID` with file, line, field and fix of each problem.
 */
export async function loadServices(places: ServicesPlaces): Promise<LoadedServices> {
  const path = join(places.configDir, 'services.yaml');
  const parsed = await readStrictYaml(path, () => ({
    schema: File,
    fields,
    page: 'docs/tools.md',
  }));
  if (parsed === undefined) return { services: [], notices: [] };
  const problems: Problem[] = [];
  const notices: string[] = [];
  const read = { placeOf: parsed.placeOf, places, problems, notices };
  const services = Object.entries(parsed.value.services).map(([name, service]) =>
    toSetting(name, service, read),
  );
  if (problems.length > 0) throw settingsInvalid(problems);
  return { services, notices };
}

interface Reading {
  readonly placeOf: PlaceOf;
  readonly places: ServicesPlaces;
  readonly problems: Problem[];
  readonly notices: string[];
}

function toSetting(name: string, service: Service, reading: Reading): ServiceSetting {
  const { placeOf, places, problems } = reading;
  const { origin } = new URL(service.origin);
  if (origin.startsWith('http:') && !places.privateOrigins.includes(origin)) {
    const where = placeOf(['services', name, 'origin']);
    const problem = `${origin} would send credentials unencrypted. Write https, or open a server of yours with CAPSTAN_PRIVATE_ORIGINS=${origin}.`;
    problems.push({ where, problem });
  }
  return {
    name,
    origin,
    credential: service.auth && credentialOf(name, service.auth, reading),
    priceMicroUsd: Math.ceil(service.price_usd * 1e6),
    methods: service.methods,
    paths: service.paths,
  };
}

function credentialOf(
  name: string,
  auth: NonNullable<Service['auth']>,
  reading: Reading,
): Credential | undefined {
  const { header, query = '', scheme } = auth;
  const place: CredentialPlace = header
    ? { in: 'header', name: header.toLowerCase(), scheme }
    : { in: 'query', name: query };
  const found = secretOf(auth, reading);
  const where = reading.placeOf(['services', name, 'auth']);
  if ('problem' in found) {
    reading.problems.push({ where, problem: found.problem });
    return undefined;
  }
  const { secret, source } = found;
  if (!/^[\x21-\x7e]+$/.test(secret)) {
    const problem = `the value of ${source} is not a single word of ASCII characters. Correct it.`;
    reading.problems.push({ where, problem });
  }
  if (secret.length < 16) {
    reading.notices.push(
      `${source}: a secret of less than 16 characters can't be recognised in the answers of tools and models, so it is not hidden there.`,
    );
  }
  return { place, secret };
}

type Secret = { readonly secret: string; readonly source: string } | { readonly problem: string };

function secretOf({ env, file }: NonNullable<Service['auth']>, { places }: Reading): Secret {
  const { configDir, environment } = places;
  if (env !== undefined) {
    const secret = environment[env]?.trim() || ownVariables(configDir)[env]?.trim();
    if (secret) return { secret, source: env };
    return { problem: `${env} is not set. Set it in the environment or in your .env.` };
  }
  const path = expandPath(file ?? '', configDir, homeOf(environment));
  const found = readTextFile(path, 16 * 1024) ?? { problem: 'there is no such file.' };
  if ('problem' in found) return { problem: `${printable(path, 300)}: ${found.problem}` };
  const secret = found.text.trim();
  return secret ? { secret, source: path } : { problem: `${printable(path, 300)} is empty.` };
}

function ownVariables(configDir: string): Environment {
  const file = readTextFile(join(configDir, '.env'));
  return file && 'text' in file ? parseEnv(file.text) : {};
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { ExplainContext, Explanation } from '../../broker/explain-intent.ts';
import { escapeText } from '../../config/escape-text.ts';
import { installFolder } from '../../config/install-folder.ts';
import { expandPath, homeOf } from '../../config/places.ts';
import { printable } from '../../config/printable.ts';
import { isFolderTrusted } from '../../config/project-files.ts';
import { readTextFile } from '../../config/text-file.ts';
import { AppError } from '../../contract/errors.ts';
import type { CommandArguments, CommandIo } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { type PolicyGround, policyGround } from './policy-ground.ts';

const MAX_FILE_BYTES = 16 * 1024 ** 2;

/** One explanation for each intent; what is explained is no failure, whatever is decided. */
export async function explainIntents(args: CommandArguments, io: CommandIo): Promise<number> {
  const texts = intentTexts(args, io);
  const { ExplainedIntent, explainIntent } = await import('../../broker/explain-intent.ts');
  const intents = texts.map(({ text, where }) => {
    const parsed = ExplainedIntent.safeParse(parseJson(text, where));
    if (parsed.success) return parsed.data;
    throw badIntent(where, z.prettifyError(parsed.error));
  });
  const { ground, close } = await openGround(await policyGround(args, io));
  try {
    for (const intent of intents) {
      const explanation = await explainIntent(intent, ground);
      const isLine = args.options['json'] === true || args.options['file'] !== undefined;
      io.stdout(isLine ? `${JSON.stringify(explanation)}\n` : asText(explanation));
    }
    return exitCodes.completed;
  } finally {
    close();
  }
}

function asText({ decision, step, rule, tier, reason, sentence }: Explanation): string {
  const steps = ['', 'denials', 'forced asks', 'rules', 'gates', 'the table'];
  return [
    `${decision.toUpperCase()}  by ${escapeText(rule)} (step ${step}, ${steps[step] ?? 'an answer'})`,
    `  ${escapeText(sentence)}`,
    `  tier ${tier ?? '-'}${reason === null ? '' : ` · reason ${reason}`}`,
    '',
  ].join('\n');
}

interface IntentText {
  readonly text: string;
  /** For messages. */
  readonly where: string;
}

function intentTexts(
  { positionals, options }: CommandArguments,
  io: CommandIo,
): readonly IntentText[] {
  const path = options['file'];
  const [given] = positionals;
  if ((given === undefined) === (typeof path !== 'string')) {
    const problem = `Name one intent as JSON, or a file of them with --file: capstan policy explain '{"capsule": …, "tool": …, "args": {…}}'`;
    throw new AppError('USAGE', { problem });
  }
  if (given !== undefined) return [{ text: given, where: 'the intent' }];
  const file = expandPath(String(path), io.cwd, homeOf(io.environment));
  const found = readTextFile(file, MAX_FILE_BYTES) ?? { problem: 'there is no such file.' };
  if ('problem' in found)
    throw new AppError('USAGE', { problem: `--file ${file}: ${found.problem}` });
  return found.text
    .split('\n')
    .map((text, at) => ({ text, where: `${file}:${at + 1}` }))
    .filter(({ text }) => text.trim() !== '');
}

function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badIntent(where, `"${printable(text, 80)}" is not JSON.`);
  }
}

const badIntent = (where: string, issues: string): AppError<'USAGE'> =>
  new AppError('USAGE', {
    problem: `${where} is no intent {"capsule": …, "tool": …, "args": {…}}:\n${issues}`,
  });

/** The real grants, rules, trust and files. A database is only read, and not made. */
async function openGround({
  loaded,
  around,
}: PolicyGround): Promise<{ ground: ExplainContext; close: () => void }> {
  const { settings, project } = loaded;
  const { places, workspace } = settings;
  const { loadPolicy } = await import('../../broker/rules/load-policy.ts');
  const { readCapsules } = await import('../../registry/capsule-store.ts');
  const { toolbox } = await import('../../tools/toolbox.ts');
  const { redactorFor } = await import('../../app/wiring/known-secrets.ts');
  const { protectionFor } = await import('../../app/wiring/protection.ts');
  const { openConfiguredApis } = await import('../../app/wiring/open-configured-apis.ts');
  const policy = await loadPolicy(around);
  const { capsules } = readCapsules({
    shipped: join(installFolder(), 'agents'),
    personal: join(places.dataDir, 'agents'),
    project: {
      dir: join(project.folder, 'agents'),
      isTrusted: (id) => isFolderTrusted(project, `agents/${id}`),
    },
  });
  const { openIsolation } = await import('../../app/wiring/isolation.ts');
  const isolation = await openIsolation(settings, false);
  const { services } = await openConfiguredApis(settings);
  const stores = await openRows(join(places.stateDir, 'capstan.db'));
  const ground: ExplainContext = {
    tools: toolbox,
    policy,
    grantsOf(id) {
      if (id === 'coordinator') return { grants: new Map(), services: [] };
      const grants = capsules.find((capsule) => capsule.id === id)?.manifest.grants;
      return grants && { grants: new Map(Object.entries(grants.tools)), services: grants.services };
    },
    workspace,
    namedHosts: settings.hosts,
    isolation: isolation.level,
    parts: {
      redactor: redactorFor(settings, services),
      isProtected: protectionFor(settings),
      services: new Map(services.map((service) => [service.name, service])),
      files: stores.files,
    },
    trust: stores.trust,
  };
  return { ground, close: stores.close };
}

async function openRows(
  path: string,
): Promise<
  Pick<ExplainContext, 'trust'> & { files: ExplainContext['parts']['files']; close: () => void }
> {
  if (!existsSync(path)) {
    return {
      files: { knownTo: () => undefined, lastWritten: () => undefined },
      trust: { levelsOf: () => ({ 1: 'supervised', 2: 'supervised' }) },
      close: () => {},
    };
  }
  const { openDatabase } = await import('../../db/open-database.ts');
  const { createFileLedger } = await import('../../broker/intent/file-ledger.ts');
  const { createAudit } = await import('../../broker/audit/audit.ts');
  const { createTrustStore } = await import('../../broker/questions/trust-store.ts');
  const db = openDatabase(path);
  return {
    files: createFileLedger(db),
    trust: createTrustStore(db, createAudit(db)),
    close: () => void db.close(),
  };
}

import { join } from 'node:path';
import { AppError, failedWith, messageOf } from '../../errors.ts';
import type { Capsule } from '../../registry/capsule-store.ts';
import type { Finding } from '../../registry/finding.ts';
import type { Intent, ToolCallIntent } from '../../runtime/protocol.ts';
import { type DryGround, type DryRun, dryRun } from './dry-run.ts';

/** Task kinds of one capsule that are tried; more are passed over. */
const MOST_KINDS = 10;

/** Tries every task kind against a script that agrees and one that refuses, and judges what the capsule said. */
export async function checkConformance(
  capsule: Capsule,
  ground: DryGround,
): Promise<{ readonly runs: readonly DryRun[]; readonly findings: readonly Finding[] }> {
  const runs: DryRun[] = [];
  for (const kind of capsule.manifest.task_kinds.slice(0, MOST_KINDS)) {
    for (const script of ['agrees', 'refuses'] as const)
      runs.push(await dryRun(capsule, kind, script, ground));
  }
  const findings = runs.flatMap((run) => judge(run, capsule, ground));
  return { runs, findings: once(findings) };
}

const once = (findings: readonly Finding[]): Finding[] => [
  ...new Map(findings.map((one) => [`${one.rule}\0${one.problem}`, one])).values(),
];

function judge(run: DryRun, capsule: Capsule, ground: DryGround): Finding[] {
  const where = programOf(capsule);
  return [
    ...judgeEnd(run, where),
    // In other modes the script's own model says what is asked for.
    ...(run.kind.mode === 'handler' ? run.intents : []).flatMap((intent) =>
      judgeIntent(intent, { where, capsule, ground }),
    ),
    ...run.noise.slice(0, 1).map(
      (line): Finding => ({
        rule: 'protocol.noise',
        severity: 'warning',
        where,
        problem: `it wrote a line to its output that is no message: ${line}`,
        fix: 'Write what is meant for people to the error output.',
      }),
    ),
  ];
}

/** The file that starts. */
function programOf({ dir, manifest: { entrypoint } }: Capsule): string {
  const file = entrypoint.slice(1).findLast((word) => !word.startsWith('-'));
  return join(dir, file ?? entrypoint[0] ?? '');
}

/** What the runner says went wrong, and what to do about it. */
const fixes = {
  CAPSULE_NOT_STARTED: 'Correct `entrypoint` in the manifest; the program must be installed here.',
  CAPSULE_NOT_ISOLATED: 'Look at `capstan doctor`.',
  CAPSULE_TIMED_OUT: 'Send one agent_response when the work is done, also where it was refused.',
  CAPSULE_SPOKE_NONSENSE: 'Send only what docs/protocol.schema.json allows, one message a line.',
  CAPSULE_FELL_SILENT: 'Send one agent_response before the process ends, whatever was answered.',
  LINE_TOO_LONG: 'Write large content to a file, and name the file.',
} as const;

function judgeEnd({ kind, script, response, error }: DryRun, where: string): Finding[] {
  const when = `${kind.name}, where every request is ${script === 'agrees' ? 'answered' : 'refused'}`;
  const base = { rule: 'protocol.final', severity: 'error', where } as const;
  if (!response) {
    const code = (Object.keys(fixes) as (keyof typeof fixes)[]).find((one) =>
      failedWith(error, one),
    );
    const fix = code ? fixes[code] : 'See docs/protocol.md.';
    return [{ ...base, problem: `${when}: ${messageOf(error)}`, fix }];
  }
  const { status, result } = response;
  const said = (result ?? {}) as { code?: unknown; message?: unknown; text?: unknown };
  if (status === 'error' && typeof said.code !== 'string') {
    const problem = `${when}: it ends with status "error" and gives no {code, message}`;
    return [{ ...base, problem, fix: 'Say what went wrong as {"code": …, "message": …}.' }];
  }
  if (said.code === 'CAPSULE_CRASHED' || said.code === 'TASK_KIND_UNKNOWN') {
    const problem = `${when}: ${said.code}: ${String(said.message)}`;
    return [
      { ...base, rule: 'protocol.crash', problem, fix: 'Correct the handler of this task kind.' },
    ];
  }
  const isText = typeof result === 'string' || typeof said.text === 'string';
  if (status === 'ok' && !isText) {
    const problem = `${when}: its result is neither text nor {text, data}`;
    return [{ ...base, severity: 'warning', problem, fix: 'Give a person a text to read.' }];
  }
  return [];
}

interface Around {
  readonly where: string;
  readonly capsule: Capsule;
  readonly ground: DryGround;
}

function judgeIntent(intent: Intent, around: Around): Finding[] {
  if (intent.type === 'tool_call_intent') return judgeCall(intent, around);
  const { request } = intent;
  if (request.kind === 'chat' || around.capsule.manifest.grants.services.includes(request.service))
    return [];
  const problem = `it asks for the service "${request.service}", which is not granted`;
  const fix = 'Add it to grants.services of the manifest.';
  return [{ rule: 'protocol.grant', severity: 'warning', where: around.where, problem, fix }];
}

/** What a broker would refuse without looking further. */
function judgeCall(
  { tool: name, args }: ToolCallIntent,
  { where, capsule, ground: { tools } }: Around,
): Finding[] {
  const tool = tools.get(name);
  const base = { where, rule: 'protocol.grant', severity: 'warning' } as const;
  if (!tool) {
    const problem = `it asks for the tool "${name}", which does not exist`;
    const fix = `There are: ${[...tools.keys()].join(', ')}.`;
    return [{ ...base, rule: 'protocol.tool', severity: 'error', problem, fix }];
  }
  const grants = capsule.manifest.grants.tools;
  const grant = Object.hasOwn(grants, name) ? grants[name] : undefined;
  if (!grant) {
    const fix = 'Add it to grants.tools of the manifest.';
    return [{ ...base, problem: `it asks for the tool "${name}", which is not granted`, fix }];
  }
  try {
    const { operation } = tool.prepare(args);
    const short = operation.name.slice(operation.name.indexOf('.') + 1);
    if (!grant.operations || grant.operations.includes(short)) return [];
    const fix = `Add "${short}" to grants.tools.${name}.operations.`;
    return [{ ...base, problem: `it asks for ${operation.name}, which is not granted`, fix }];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const problem = messageOf(error).replace(/\s+/g, ' ');
    return [
      { ...base, rule: 'protocol.arguments', problem, fix: 'docs/tools.md has the arguments.' },
    ];
  }
}

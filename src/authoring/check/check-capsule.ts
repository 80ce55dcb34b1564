import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError, type ErrorCode, failedWith, messageOf } from '../../contract/errors.ts';
import type { AgentResponse, ApiCallIntent, ToolCallIntent } from '../../contract/wire/protocol.ts';
import type { Capsule } from '../../registry/capsule-store.ts';
import { type Finding, fault, warning } from '../../registry/finding.ts';
import { jsonLines } from '../../registry/manifest/json-lines.ts';
import type { TaskKind } from '../../registry/manifest/manifest.ts';
import { type DryRun, type DryRunParts, type DryScript, dryRun, offTopicTask } from './dry-run.ts';

/** Further task kinds of a capsule are not tried. */
const MAX_KINDS = 10;

/** Runs every task kind against scripts that grant and refuse all requests, and handlers with a task of another kind. */
export async function checkConformance(capsule: Capsule, parts: DryRunParts) {
  const runs: DryRun[] = [];
  for (const kind of capsule.manifest.task_kinds.slice(0, MAX_KINDS)) {
    for (const script of scriptsFor(kind)) {
      const run = await dryRun(capsule, kind, script, parts);
      runs.push(run);
      // The other scripts would take as long.
      if (failedWith(run.error, 'CAPSULE_TIMED_OUT')) break;
    }
  }
  const judged = runs.map((run) => ({ run, findings: judge(run, capsule, parts.tools) }));
  const all = judged.flatMap(({ run, findings }) => {
    const others = judged.filter((one) => one.run.kind === run.kind && one.run !== run);
    return findings.map((one) => withCondition(one, run, others));
  });
  const distinct = new Map(all.map((one) => [`${one.rule}\0${one.problem}`, one]));
  return { runs, findings: [...distinct.values()] };
}

/** In other modes the script's own model answers. */
const scriptsFor = ({ mode }: TaskKind): readonly DryScript[] =>
  mode === 'handler' ? ['agrees', 'refuses', 'off_topic'] : ['agrees', 'refuses'];

/** A finding about how an attempt ends says if it does not occur in the other runs of its task kind. */
function withCondition(
  finding: Finding,
  { kind, script }: DryRun,
  others: readonly { readonly findings: readonly Finding[] }[],
): Finding {
  const { rule, problem } = finding;
  if (!endings.has(rule)) return finding;
  const isAlways = others.every(({ findings }) =>
    findings.some((one) => one.rule === rule && one.problem === problem),
  );
  const words = script === 'refuses' ? 'refused' : 'answered';
  const when = isAlways ? '' : `, if every request is ${words}`;
  return { ...finding, problem: `${kind.name}${when}: ${problem}` };
}

/** Rules about how an attempt ends, as opposed to its requests. */
const endings = new Set(['protocol.start', 'protocol.final', 'protocol.crash', 'protocol.refusal']);

function judge(run: DryRun, capsule: Capsule, tools: DryRunParts['tools']): Finding[] {
  const where = programOf(capsule);
  const { grants } = capsule.manifest;
  return [
    ...(run.response ? judgeResponse(run, run.response, capsule) : judgeSilence(run, capsule)),
    // In other modes the script's own model makes the requests.
    ...(run.kind.mode === 'handler' ? run.intents : []).flatMap((intent) =>
      intent.type === 'tool_call_intent'
        ? judgeCall(intent, where, grants.tools, tools)
        : judgeService(intent, where, grants.services),
    ),
    ...noiseOf(run).map((line) => {
      const problem = `it wrote a line to its output that is not a message: ${line}`;
      const fix = 'Write what is meant for people to the error output.';
      return warning('protocol.noise', where, problem, fix);
    }),
  ];
}

/** One line that is not a message: the first that was probably meant as one, or else the first. */
const noiseOf = ({ noise }: DryRun): readonly string[] =>
  [noise.find((line) => line.startsWith('{')) ?? noise[0] ?? []].flat();

function programOf({ dir, manifest: { entrypoint } }: Capsule): string {
  const file = entrypoint.slice(1).findLast((word) => !word.startsWith('-'));
  return join(dir, file ?? entrypoint[0] ?? '');
}

const fixes: { readonly [Code in ErrorCode]?: string } = {
  CAPSULE_NOT_ISOLATED: 'Check the sandbox of this machine.',
  CAPSULE_TIMED_OUT:
    'Send one agent_response when the work is done, also if a request was refused; flush the output after each message.',
  CAPSULE_SPOKE_NONSENSE: 'Send only what docs/protocol.schema.json allows, one message per line.',
  CAPSULE_FELL_SILENT:
    'Send one agent_response before the process ends, whatever the answers were.',
  LINE_TOO_LONG: 'Write large content to a file, and name the file.',
};

const NO_DIRECT_ACCESS =
  'A capsule writes no file, opens no connection and starts no process: ask for a tool that does (docs/protocol.md).';

const CORRECT_LINE =
  'Correct this line, or send an agent_response with status "error" if it may fail.';

function judgeSilence(run: DryRun, capsule: Capsule): Finding[] {
  const { error, stderr } = run;
  if (failedWith(error, 'CAPSULE_NOT_STARTED')) {
    const path = join(capsule.dir, 'manifest.json');
    const line = jsonLines(readFileSync(path, 'utf8'))(['entrypoint']);
    const problem = `it can't be started: ${error.details.problem}`;
    const fix = 'Correct `entrypoint`; its program must be installed.';
    return [fault('protocol.start', `${path}:${line}`, problem, fix)];
  }
  const { text, where, isRefusal } = summarizeErrorOutput(stderr, capsule.dir);
  const problem = text === '' ? run.problem : `${run.problem}\n${text}`;
  const known = error instanceof AppError ? fixes[error.code as ErrorCode] : undefined;
  const usual = known ?? 'See docs/protocol.md.';
  const fix = isRefusal ? NO_DIRECT_ACCESS : where === undefined ? usual : CORRECT_LINE;
  return [fault('protocol.final', where ?? programOf(capsule), problem, fix)];
}

function judgeResponse(
  { kind, script, intents, stderr }: DryRun,
  { status, result }: AgentResponse,
  capsule: Capsule,
): Finding[] {
  const where = programOf(capsule);
  const said = (result ?? {}) as { code?: unknown; message?: unknown; text?: unknown };
  if (status === 'error' && typeof said.code !== 'string') {
    const problem = 'it ends with status "error" and gives no {code, message}';
    const fix = 'Say what went wrong as {"code": …, "message": …}.';
    return [fault('protocol.final', where, problem, fix)];
  }
  if (said.code === 'CAPSULE_CRASHED' || said.code === 'TASK_KIND_UNKNOWN') {
    const problem = `${said.code}: ${String(said.message)}`;
    const place = summarizeErrorOutput(stderr, capsule.dir).where ?? where;
    return [fault('protocol.crash', place, problem, 'Correct the handler of this task kind.')];
  }
  if (status === 'error') return [];
  if (script === 'off_topic') {
    const problem = `${kind.name}: it ends with status "ok" on a task of another kind: "${offTopicTask(kind)}"`;
    const fix =
      'Check the whole task, and end with status "error" and the code "NOT_UNDERSTOOD" if any part of it is unknown.';
    return [warning('protocol.task', where, problem, fix)];
  }
  const found: Finding[] = [];
  if (typeof result !== 'string' && typeof said.text !== 'string') {
    const problem = 'its result is neither text nor {text, data}';
    found.push(warning('protocol.final', where, problem, 'Give a person a text to read.'));
  }
  if (script === 'refuses' && intents.length > 0) {
    const problem = 'it ends with status "ok", though nothing that it asked for was done';
    const fix = 'End with status "error" if a request that the task needs was refused.';
    found.push(warning('protocol.refusal', where, problem, fix));
  }
  return found;
}

function judgeService(
  { request }: ApiCallIntent,
  where: string,
  services: readonly string[],
): Finding[] {
  if (request.kind === 'chat' || services.includes(request.service)) return [];
  const problem = `it asks for the service "${request.service}", which is not granted`;
  const fix = 'Add it to grants.services of the manifest.';
  return [warning('protocol.grant', where, problem, fix)];
}

/** Requests that a broker always refuses. */
function judgeCall(
  { tool: name, args }: ToolCallIntent,
  where: string,
  grants: Capsule['manifest']['grants']['tools'],
  tools: DryRunParts['tools'],
): Finding[] {
  const tool = tools.get(name);
  if (!tool) {
    const problem = `it asks for the tool "${name}", which does not exist`;
    return [fault('protocol.tool', where, problem, `There are: ${[...tools.keys()].join(', ')}.`)];
  }
  const grant = Object.hasOwn(grants, name) ? grants[name] : undefined;
  if (!grant) {
    const problem = `it asks for the tool "${name}", which is not granted`;
    const fix = 'Add it to grants.tools of the manifest.';
    return [warning('protocol.grant', where, problem, fix)];
  }
  try {
    const { operation } = tool.prepare(args);
    const short = operation.name.slice(operation.name.indexOf('.') + 1);
    if (!grant.operations || grant.operations.includes(short)) return [];
    const problem = `it asks for ${operation.name}, which is not granted`;
    const fix = `Add "${short}" to grants.tools.${name}.operations.`;
    return [warning('protocol.grant', where, problem, fix)];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const problem = messageOf(error).replace(/\s+/g, ' ');
    return [warning('protocol.arguments', where, problem, 'docs/tools.md has the arguments.')];
  }
}

const MAX_LINES = 20;

/**
 * Summarizes the error output of a capsule in `dir`, which the capsule may see as `/capsule`: the last lines, the line of
 * the capsule that failed, such as `/…/mine/main.py:12`, if one is named, and whether the sandbox refused something.
 */
export function summarizeErrorOutput(stderr: string, dir: string) {
  const all = stderr.trim();
  const text = all.split('\n').slice(-MAX_LINES).join('\n');
  return { text, where: whereIn(all, dir), isRefusal: refusals.test(all) };
}

/** System errors when a capsule writes a file, opens a connection or starts a process. */
const refusals =
  /[Rr]ead-only file system|EROFS|Operation not permitted|EPERM|Permission denied|EACCES|Network is unreachable|name resolution|EAI_AGAIN/;

function whereIn(text: string, dir: string): string | undefined {
  const own = text.replaceAll(`${dir}/`, '/capsule/');
  // Python names the innermost call last, Node first. A shell names the file as it was started.
  const python = [...own.matchAll(/File "(?:\/capsule\/)?([\w./-]+)", line (\d+)/g)]
    .filter(([, file = '']) => !file.startsWith('/'))
    .at(-1);
  const [, file, line] =
    python ??
    /\/capsule\/([\w./-]+):(\d+)/.exec(own) ??
    /^([\w-][\w./-]*): line (\d+):/m.exec(own) ??
    [];
  return file === undefined || file.includes('..') ? undefined : `${join(dir, file)}:${line}`;
}

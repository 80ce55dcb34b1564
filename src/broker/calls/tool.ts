import { AppError, failedWith } from '../../contract/errors.ts';
import type { IntentRecord } from '../../contract/intent.ts';
import type { Operation } from '../../contract/permissions/operation.ts';
import { wireError } from '../../contract/wire/error-reply.ts';
import { type Intent, type ToolCallIntent, toolRequest } from '../../contract/wire/protocol.ts';
import { shownPath } from '../../platform/files/inside.ts';
import { canonicalHash } from '../../platform/text/canonical-hash.ts';
import { decideAgain, decideToolCall } from '../../policy/decide/decide-tool-call.ts';
import { type Consent, covers, settled } from '../../policy/decide/decision.ts';
import { repeatabilityOf, tiersOf } from '../../policy/decide/table.ts';
import { grantedBy } from '../../policy/grants/grants.ts';
import { toStoredFacts } from '../../policy/limits/stored-facts.ts';
import { ASK_PERSON } from '../../tools/ask-person.ts';
import type { PreparedCall } from '../../tools/define/tool.ts';
import { changedFile, type FileEffect } from '../intent/record.ts';
import { type Proposal, propose } from '../intent/transitions.ts';
import { ask } from '../questions/ask.ts';
import { deniedQuestions, describeOperation, questionBefore } from '../questions/question.ts';
import { adoptIntent, denialOfChanged } from '../recall/recall.ts';
import type { Awaitable, CallKind, InvalidCall, Permitted, Received, Result } from './call.ts';
import { runAfterToolHooks, runBeforeToolHooks } from './call-hooks.ts';
import type { EarlierDenial } from './earlier-denial.ts';
import { serviceOf, servicePayment } from './http/http-payment.ts';
import type { CallContext } from './parts.ts';
import { describeCommand } from './tool/consequences.ts';
import {
  announceTool,
  performTool,
  recordToolChange,
  reportTool,
  waitForStart,
} from './tool/perform-tool.ts';
import { outdated, recheckFiles } from './tool/recheck-files.ts';
import type { HookedCall, ToolCall, ToolOutcome } from './tool/tool-call.ts';
import { bindFiles, filesOf, gatherToolFacts, type ToolFacts } from './tool/tool-facts.ts';

/** Calls of tools. A failing tool is a reply that the capsule can work with. */
export const toolCalls: CallKind<ToolCallIntent, ToolCall, ToolOutcome> = {
  counter: 'toolCalls',
  afterHook: 'post_tool_call',
  requestOf: toolRequest,
  prepare,
  announce: announceTool,
  payment,
  permit,
  basis: ({ facts }) => ({ facts: toStoredFacts(facts), effects: filesOf(facts) }),
  recordChange: recordToolChange,
  waitForStart,
  recheck: (call, { isByPerson }) =>
    isByPerson && call.facts.named ? recheckFiles(call) : undefined,
  perform: performTool,
  report: reportTool,
  runAfterHooks: runAfterToolHooks,
  denialError({ reason, sentence }, { name, target }) {
    const what = `${name} ${target}`;
    return wireError(new AppError('INTENT_DENIED', { what, reason, sentence }));
  },
  outcomeOf: (result: Result) => result,
  stored: (outcome) => outcome,
  reply: (outcome) => ({ type: 'tool_call_result', ...(outcome as ToolOutcome) }),
};

async function prepare(
  received: Received<ToolCallIntent>,
  context: CallContext,
): Promise<ToolCall | InvalidCall> {
  const call = () => received.message;
  const { tool } = call();
  const requestWith = (changed: unknown) => ({ tool, args: changed });
  const asked = { kind: 'tool', name: tool, target: '', request: toolRequest(call()) } as const;
  const prepared = await prepareTool({ call, requestWith, ...asked }, received, context);
  if ('problem' in prepared || !(prepared.prepared.preview || prepared.facts.problem))
    return prepared;
  const { previewed } = await import('./tool/preview-change.ts');
  return previewed(prepared);
}

interface AskedTool extends Pick<IntentRecord, 'kind' | 'name' | 'target' | 'request'> {
  /** @throws AppError of a request that can't be made. */
  call(): ToolCallIntent;
  requestWith(args: unknown): unknown;
}

/** Runs the hooks, looks up the facts, and proposes the intent or continues the recorded one. */
export async function prepareTool(
  asked: AskedTool,
  received: Received<Intent>,
  context: CallContext,
): Promise<ToolCall | InvalidCall> {
  let hooked: HookedCall;
  try {
    const message = asked.call();
    const prepared = prepareGranted(message, context);
    hooked = context.parts.hooks.has('pre_tool_call')
      ? await runBeforeToolHooks(message, prepared, context)
      : { prepared, args: message.args, isChanged: false, hook: undefined };
  } catch (error) {
    if (failedWith(error, 'CANCELLED')) throw error;
    const { call, requestWith, ...request } = asked;
    const nature = { tier: 0, repeatability: 'pure' } as const;
    const intent = proposeOne({ ...request, ...nature, askedHash: null }, received, context);
    return { intent, context, problem: wireError(error) };
  }
  return proposeTool(asked, hooked, received, context);
}

const proposeOne = (
  about: Omit<Proposal, 'wireId' | 'reason'>,
  { message: { id, reason }, requestHash }: Received<Intent>,
  { scope, parts }: CallContext,
): IntentRecord => propose(scope, parts.now, { requestHash, ...about, wireId: id ?? null, reason });

async function proposeTool(
  { kind, request: asked, requestWith }: AskedTool,
  { prepared, args, isChanged, hook }: HookedCall,
  received: Received<Intent>,
  context: CallContext,
): Promise<ToolCall> {
  const startedMs = performance.now();
  const { parts } = context;
  const { recorded, requestHash: askedHash } = received;
  const { operation } = prepared;
  const request = isChanged ? requestWith(args) : asked;
  const requestHash = isChanged ? canonicalHash(request) : askedHash;
  const facts = await gatherToolFacts(operation, { kind, request, requestHash, hook }, context);
  const service = parts.services?.size ? serviceOf(operation, parts) : undefined;
  const about = {
    kind,
    request,
    requestHash,
    askedHash: isChanged ? askedHash : null,
    name: operation.name,
    target: service ? `${service.name}${operation.url?.pathname ?? ''}` : operation.target,
    tier: Math.max(...tiersOf(operation, facts)),
    repeatability: repeatabilityOf(operation, facts),
  };
  const intent = proposeOne(about, received, context);
  const call = { intent, context, prepared, hook, facts, service, startedMs };
  return recorded.kind === 'adopt' ? adopted(call, recorded.record) : call;
}

/** Errors list only granted tools and operations. */
function prepareGranted(
  { tool: name, args, invalid_args }: ToolCallIntent,
  { parts: { tools }, scope: { grants, services } }: CallContext,
): PreparedCall {
  const tool = tools.get(name);
  const grant = grants.get(name) ?? (services.includes(String(args['service'])) ? {} : undefined);
  try {
    if (tool && invalid_args !== undefined)
      throw new AppError('TOOL_ARGS_INVALID', { tool: name, issues: 'they are not a JSON object' });
    if (tool) return tool.prepare(args, grant && (() => grantedBy(grant, services)));
  } catch (error) {
    if (grant || name === ASK_PERSON) throw error;
  }
  const known = [...grants.keys()].filter((one) => tools.has(one));
  throw new AppError('TOOL_UNKNOWN', { tool: name, known });
}

function adopted(call: ToolCall, record: IntentRecord): ToolCall {
  const intent = adoptIntent(record, call.intent);
  const hook =
    (intent.status === 'unknown' ? denialOfChanged(intent, call.intent) : undefined) ?? call.hook;
  return { ...call, intent, hook, facts: { ...call.facts, hook } };
}

function payment(call: ToolCall) {
  const { service, prepared, facts } = call;
  if (!service) return undefined;
  const decision = decideToolCall(prepared.operation, facts);
  if (decision.kind === 'deny') return { approved: false, ...decision } as const;
  const isAllowedByRule = decision.kind === 'allow' && decision.step === 3;
  return servicePayment(call, service, isAllowedByRule);
}

/** `isOutdated`: the answer no longer covers the call, which is asked again. */
type Asked = Permitted<ToolCall> & { readonly isOutdated?: boolean };

/** If a file changes again during each question, the call fails after this many. */
const MAX_QUESTIONS = 5;

/** Decides on the current facts, and again after an answer. If a file changed, even while the run was parked, it is asked again. */
function permit(proposed: ToolCall, agreed: Consent | undefined): Awaitable<Permitted<ToolCall>> {
  const { intent, prepared, reservation } = proposed;
  const call = reservation
    ? { ...proposed, facts: { ...proposed.facts, isSpendAgreed: true } }
    : proposed;
  const decision = decideToolCall(prepared.operation, call.facts);
  if (agreed) return { call, permission: decision.kind === 'deny' ? settled(decision) : agreed };
  if (decision.kind === 'ask' || intent.status === 'waiting') return askUntilUnchanged(call);
  return { call, permission: settled(decision) };
}

async function askUntilUnchanged(asked: ToolCall): Promise<Permitted<ToolCall>> {
  const { intent, prepared, context } = asked;
  const { journal, approvals } = context.parts;
  const wasAsked = intent.status === 'waiting';
  const facts = await bindFiles(prepared.operation, asked.facts, context.scope);
  let call: ToolCall = { ...asked, facts };
  let shown = (wasAsked ? (intent.effects as readonly FileEffect[]) : undefined) ?? filesOf(facts);
  let isByMode = false;
  for (let count = 0; count < MAX_QUESTIONS; count++) {
    const changed = isByMode || !shown ? undefined : changedFile(shown, filesOf(call.facts));
    if (changed !== undefined) journal.commit(() => approvals.withdraw(intent.id));
    const isAdopted = wasAsked && count === 0 && changed === undefined;
    const permitted = await unlessHopeless(await askOnce(call, changed, isAdopted));
    if (!permitted.isOutdated) return permitted;
    isByMode = permitted.permission.approved && permitted.permission.isByPerson !== true;
    shown = filesOf(call.facts);
    call = permitted.call;
  }
  return { call, permission: outdated('The file changed again before each answer.') };
}

/** A call that would be asked again, but whose change can't be applied any more, fails instead. */
async function unlessHopeless(permitted: Asked): Promise<Asked> {
  const { call, isOutdated } = permitted;
  if (!isOutdated || call.facts.problem === undefined) return permitted;
  const { problemOf } = await import('./tool/preview-change.ts');
  const problem = await problemOf(call);
  return problem === undefined ? permitted : { call, permission: outdated(problem) };
}

/** With the preview that the question shows. */
async function currentFacts(call: ToolCall): Promise<ToolFacts> {
  const { intent, prepared, hook, context, reservation } = call;
  const { operation, preview } = prepared;
  const found = await gatherToolFacts(operation, intent, context);
  const previewed = preview
    ? await import('./tool/preview-change.ts').then((module) => module.withPreviewOf(call, found))
    : found;
  const bound = await bindFiles(operation, previewed, context.scope);
  return { ...bound, hook, ...(reservation && { isSpendAgreed: true }) };
}

const NO_COMMAND = { scripts: [], consequences: [] };

/** @param changed A file that changed since it was asked before. */
async function askOnce(
  call: ToolCall,
  changed: string | undefined,
  isAdopted: boolean,
): Promise<Asked> {
  const { intent, prepared, facts, context } = call;
  const { operation } = prepared;
  const plain = decideToolCall(operation, facts);
  const decision = decideAgain(plain, operation, {
    facts,
    changed: changed && shownPath(facts.workspace, changed),
    before: isAdopted ? questionBefore(intent, context) : undefined,
  });
  if (decision.kind !== 'ask') return { call, permission: settled(decision) };
  const earlier = await findEarlierDenial(operation, context, intent.id);
  const { scripts, consequences } = operation.command
    ? await describeCommand(call, isAdopted, decision.forced)
    : NO_COMMAND;
  const details = describeOperation(operation, intent, facts.effects, scripts);
  const subject = {
    kind: decision.rule === 'file_changed' ? 'changed_file' : 'tool',
    details: [details, earlier?.details].join(''),
    operation,
    isAdopted,
  } as const;
  const effects = filesOf(facts);
  const sentences = [earlier?.sentence, decision.sentence, ...consequences];
  const permission = await ask(
    { ...decision, sentence: sentences.filter(Boolean).join(' ') },
    subject,
    effects ? { ...intent, effects } : intent,
    context,
  );
  if (!permission.approved) return { call, permission };
  await context.scope.run.currentRules?.refresh();
  const latest = { ...call, facts: await currentFacts(call) };
  const again = decideToolCall(operation, latest.facts);
  if (again.kind === 'deny') return { call: latest, permission: settled(again) };
  const hasChanged =
    permission.isByPerson === true &&
    changedFile(filesOf(facts), filesOf(latest.facts)) !== undefined;
  const isOutdated = hasChanged || !covers([plain, decision], permission, again);
  return { call: latest, permission, isOutdated };
}

/** An earlier denial about a file of the operation, of another intent than this one. */
async function findEarlierDenial(
  operation: Operation,
  context: CallContext,
  ownIntent: string,
): Promise<EarlierDenial | undefined> {
  const denials = deniedQuestions(context).filter(({ intentId }) => intentId !== ownIntent);
  if (!denials.length) return undefined;
  const { earlierDenial } = await import('./earlier-denial.ts');
  return earlierDenial(operation, context, denials);
}

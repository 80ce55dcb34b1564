import type { IntentRecord } from '../../contract/intent.ts';
import type { IntentReply, WireError } from '../../contract/wire/coordinator-messages.ts';
import type { Intent } from '../../contract/wire/protocol.ts';
import type { HookPoint } from '../../hooks/hook.ts';
import type { Consent, Permission, Refusal } from '../../policy/decide/decision.ts';
import type { WrittenFile } from '../../tools/define/tool.ts';
import type { OpenChange } from '../changes/change-recorder.ts';
import type { WithMessages } from '../intent/scope.ts';
import type { Payment } from '../money/payment.ts';
import type { Reservation } from '../money/reserve.ts';
import type { Cost, PayeeFailure } from '../money/settle.ts';
import type { Recorded } from '../recall/recall.ts';
import type { CallContext } from './parts.ts';

/** A value that is available without waiting is returned synchronously, as for most reads. */
export type Awaitable<T> = T | Promise<T>;

/** One call on its way through the steps of `answer.ts`. */
export interface Call {
  /** Its row, as proposed or as it was interrupted. */
  readonly intent: IntentRecord;
  readonly context: CallContext;
  /** Money and probe that are reserved for it. */
  readonly reservation?: Reservation | undefined;
}

/** A call that can't be made: an unknown tool or service, or bad arguments. */
export interface InvalidCall extends Call {
  readonly problem: WireError;
}

/** A received message. */
export interface Received<Message extends Intent> {
  readonly message: Message;
  /** SHA-256 of the request as the capsule made it. */
  readonly requestHash: string;
  readonly recorded: Exclude<Recorded, { kind: 'answer' }>;
}

/** A result or an error, in the form that all kinds share. */
export type Result =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly error: WireError };

/** The outcome of performing a call. */
export interface Performed<Outcome> {
  /** `unknown`: it was interrupted, and must not be repeated. */
  readonly ended: 'done' | 'failed' | 'unknown';
  readonly outcome: Outcome;
  /** When it started, in milliseconds of `performance.now()`. */
  readonly startedMs: number;
  /** Whether it failed and certainly changed nothing. */
  readonly isUndone?: boolean;
  readonly wrote?: readonly WrittenFile[] | undefined;
  readonly removed?: readonly string[] | undefined;
  readonly cost?: Cost | undefined;
  /** Undefined if the payee did not fail, or nobody was paid. */
  readonly failure?: PayeeFailure | undefined;
  /** Rows that are written in the transaction of the outcome. */
  readonly alsoWrite?: (() => void) | undefined;
}

/** The decision on a call, and the call with the facts that it is based on. */
export interface Permitted<C extends Call> {
  readonly call: C;
  readonly permission: Permission;
}

/** The fields that the outcomes of all kinds have. */
export interface CallOutcome extends WithMessages {
  readonly error?: WireError | undefined;
}

/** A kind, whatever its messages are. */
export type AnyKind<C extends Call, Outcome extends CallOutcome = CallOutcome> = CallKind<
  never,
  C,
  Outcome
>;

/** The operations that differ between calls of tools, models and services. */
export interface CallKind<Message extends Intent, C extends Call, Outcome extends CallOutcome> {
  readonly counter: 'toolCalls' | 'modelCalls';
  readonly afterHook: HookPoint;
  /** Called with a recorded outcome before it is returned again. */
  restore?(recorded: unknown, context: CallContext): void;
  /** The value that `requestHash` is the hash of. */
  requestOf(message: Message): unknown;
  /** Runs the hooks before it, looks up facts and prices, and proposes the intent. */
  prepare(received: Received<Message>, context: CallContext): Promise<C | InvalidCall>;
  announce?(call: C): void;
  /** The payee and the amount; undefined if the call is free. A refusal if the call is denied regardless of its cost. */
  payment(call: C): Payment | Refusal | undefined;
  /** Decides on the operation, asks, and decides again. `agreed`: a person has approved it in spite of its unknown outcome. */
  permit(call: C, agreed: Consent | undefined): Awaitable<Permitted<C>>;
  /** The columns of the row with the basis of the decision. */
  basis(call: C): { readonly facts?: unknown; readonly effects?: unknown };
  /** Stores the content that the call is about to change. Called directly before the row `started` is saved; undefined if it changes nothing. */
  recordChange?(call: C): Promise<OpenChange | undefined> | undefined;
  /** Waits until an approved call may start. The returned function is called when the reply is built. */
  waitForStart?(call: C, consent: Consent): Awaitable<(() => void) | undefined>;
  /** The refusal if the consent no longer covers the call after it waited. */
  recheck?: ((call: C, consent: Consent) => Promise<Refusal | undefined> | undefined) | undefined;
  /** Performs a started call. An exception of a tool or provider becomes an outcome. */
  perform(call: C, started: IntentRecord, consent: Consent): Promise<Performed<Outcome>>;
  report(call: C, ended: IntentRecord, performed: Performed<Outcome>): void;
  /** Runs the hooks after it; returns the outcome with their notes, or undefined if there are none. */
  runAfterHooks(call: C, outcome: Outcome): Promise<Outcome | undefined>;
  denialError(refusal: Refusal, intent: IntentRecord): WireError;
  outcomeOf(result: Result): Outcome;
  /** The outcome in the form of the row and the reply. */
  stored(outcome: Outcome): unknown;
  /** The reply with a stored outcome. */
  reply(stored: unknown): IntentReply;
}

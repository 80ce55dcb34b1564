import { toolWords } from '../../../app/reports/tool-words.ts';

/** One step of the plan, as it is drawn. */
export interface ShownStep {
  readonly id: string;
  /** Its position in the plans of the run, from 1. */
  readonly number: number;
  readonly description: string;
  /** Numbers of the steps that it waits for. */
  readonly after: readonly number[];
  readonly state: 'waiting' | 'working' | 'asking' | 'ended';
  /** Its stored status, or the status with which it ended. */
  readonly status: string;
  readonly capsule: string | undefined;
  /** Its current activity: see `verbOf`, or what its capsule reports. */
  readonly verb: string;
  /** Milliseconds since 1970, later by the time in which it waited for a person; undefined before it starts. */
  readonly startedMs: number | undefined;
  /** When its newest call began, or its question was asked; undefined while the model thinks. */
  readonly callMs: number | undefined;
  readonly tokens: number;
  readonly costUsd: number;
}

/** The text that a model is writing, or the output of a running command. */
export interface ShownText {
  readonly stepId: string;
  /** Total number of characters so far. */
  readonly chars: number;
  /** The end of the text, at most `KEPT_CHARS`. */
  readonly end: string;
}

/** A run as it is drawn, reduced from its events and deltas. */
export interface RunModel {
  readonly steps: readonly ShownStep[];
  readonly startedMs: number;
  /** Time of the last event. */
  readonly lastMs: number;
  readonly costUsd: number;
  /** Streamed texts by intent, in the order in which they began. */
  readonly texts: ReadonlyMap<string, ShownText>;
  /** The step whose text is shown. Default: the last one that began to write. */
  readonly focus: string | undefined;
  /** The newest model call that waits for its next try. */
  readonly delay:
    | { readonly intentId: string; readonly problem: string; readonly untilMs: number }
    | undefined;
  /** Why a model call failed, until one is answered. */
  readonly trouble: string;
  /** Open questions. */
  readonly asked: number;
  /** Time in which it only waited for a person, in milliseconds. */
  readonly waitedMs: number;
  /** It has ended or parked. */
  readonly isEnded: boolean;
}

/** Maximum length of a streamed text, in characters; the end is stored. */
export const KEPT_CHARS = 8_000;

/** A run before its first event. */
export const emptyRun: RunModel = {
  steps: [],
  startedMs: 0,
  lastMs: 0,
  costUsd: 0,
  texts: new Map(),
  focus: undefined,
  delay: undefined,
  trouble: '',
  asked: 0,
  waitedMs: 0,
  isEnded: false,
};

/** The verb of an operation: `file_io.edit` is `edit`. Default: `run`. */
export const verbOf = (tool: string): string => toolWords(tool)?.verb ?? 'run';

/** The verb before the first call, and during a model call. */
export const [WORK, THINK] = ['work', 'think'];

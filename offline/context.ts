/** The step that a handler performs, and its tools: the part of the capsule SDK that this package uses. */
export interface HandlerContext {
  /** The text of the step. */
  readonly task: string;
  /** Fields of the task kind's input schema, if the caller gave any. */
  readonly input: Record<string, unknown>;
  /** The results of the steps that this step depends on. */
  readonly results: readonly { readonly description: string; readonly result: unknown }[];
  /** Calls a tool. @throws Error with `code` and `message` if the call is denied or fails. */
  call(tool: string, args: Record<string, unknown>, reason: string): Promise<unknown>;
  /** Shows a line of progress. */
  progress(text: string): void;
  /** Reports a file that this task wrote. */
  artifact(path: string): void;
}

/** The result of a step: text for a person, data for later steps. */
export interface Outcome {
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Performs a step. @throws TaskError if it can't. */
export type Handler = (context: HandlerContext) => Promise<Outcome>;

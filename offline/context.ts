/** What a handler sees of its step and may do: the part of the capsule SDK that this package uses. */
export interface HandlerContext {
  /** The text of the step. */
  readonly task: string;
  /** Fields of the task kind's input schema, where the caller gave them. */
  readonly input: Record<string, unknown>;
  /** The results that this step depends on. */
  readonly results: readonly { readonly description: string; readonly result: unknown }[];
  /** Calls a tool. @throws an error with `code` and `message` when it is denied or fails. */
  call(tool: string, args: Record<string, unknown>, reason: string): Promise<unknown>;
  /** Shows a line to the person who watches. */
  progress(text: string): void;
  /** Names a file that this task made. */
  artifact(path: string): void;
}

/** What a step gives: text for a person, data for later steps. */
export interface Outcome {
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export type Handler = (context: HandlerContext) => Promise<Outcome>;

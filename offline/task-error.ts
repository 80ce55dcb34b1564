/** Details of an error, to propose other words. */
export interface ErrorDetails {
  /** The words without a clear meaning. */
  readonly said?: string;
  /** Phrases to use instead. */
  readonly means?: readonly string[];
  /** Columns that the answer may be ordered by. */
  readonly by?: readonly string[];
  /** Whether the words are a time. */
  readonly isTime?: boolean;
  /** Whether all words of the question were understood, and only the meaning of the whole is open. */
  readonly isRead?: boolean;
}

/** A failure that a person can fix. The capsule SDK recognises it by its name, since handlers are bundled separately. */
export class TaskError extends Error {
  override readonly name = 'TaskError';
  /** `NOT_UNDERSTOOD`, `NOT_FOUND`, `AMBIGUOUS`, `NOT_SUPPORTED`, `INPUT_INVALID`, `TOOL_FAILED`, … */
  readonly code: string;
  readonly details: ErrorDetails;

  constructor(code: string, message: string, details: ErrorDetails = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

/** Throws a failure. @throws TaskError Always. */
export function fail(code: string, message: string): never {
  throw new TaskError(code, message);
}

/** How to get a language model, as the end of a sentence. */
export const modelSettings =
  'set OPENAI_API_KEY, ANTHROPIC_API_KEY or GEMINI_API_KEY, or start Ollama';

/** What a question means instead of some of its words. */
export interface ErrorDetails {
  /** The words that have no meaning, or several. */
  readonly said?: string;
  /** What to say instead of them. */
  readonly means?: readonly string[];
  /** The columns that they may go by. */
  readonly by?: readonly string[];
  /** Whether they are about a time. */
  readonly isTime?: boolean;
}

/** A failure that a person can act on. The capsule SDK recognises it by its name, since handlers are bundled separately. */
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

/** @throws TaskError Always. */
export function fail(code: string, message: string): never {
  throw new TaskError(code, message);
}

/** The settings that give a run a language model. */
export const modelSettings =
  'choose a language model with CAPSTAN_PROVIDER (set OPENAI_API_KEY, ANTHROPIC_API_KEY or GEMINI_API_KEY, or start Ollama)';

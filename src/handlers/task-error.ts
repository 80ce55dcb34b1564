/** A failure that a person can act on; the capsule answers with `{code, message}`. Told from others by its name, since handlers are bundled apart. */
export class TaskError extends Error {
  override readonly name = 'TaskError';
  /** `NOT_UNDERSTOOD`, `NEEDS_MODEL`, `NOT_FOUND`, `AMBIGUOUS`, `INPUT_INVALID`, `TOOL_FAILED`, … */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

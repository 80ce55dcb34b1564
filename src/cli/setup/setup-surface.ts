/** A line that is printed once. Its text is safe to print. */
export interface SetupLine {
  readonly mark: 'done' | 'failed' | 'notice' | 'none';
  readonly text: string;
}

export interface SetupPrompt {
  readonly text: string;
  /** What is typed is not shown, and the prompt is removed afterwards. */
  readonly isHidden: boolean;
}

/** What is being done while the person waits. */
export type SetupWork = 'cost' | 'models' | 'check' | 'propose' | 'write';

/** Where a setup prints and asks: a terminal, or a view of the conversation. */
export interface SetupSurface {
  print(lines: readonly SetupLine[]): void;
  /** Asks for one line. @throws SetupLeft */
  ask(prompt: SetupPrompt): Promise<{ readonly text: string; readonly isPasted: boolean }>;
  /** Shows the work in progress until it ends. @throws SetupLeft, except while it writes. */
  during<T>(what: SetupWork, work: Promise<T>): Promise<T>;
}

/** The person left: Ctrl-C, Esc or the end of the input. */
export class SetupLeft extends Error {}

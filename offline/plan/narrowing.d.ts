/** What a step leaves of its file: all of it, the first of an order or of a kind, or what meets a condition. */
export type Narrowing = 'none' | 'ranked' | 'filtered';
/** Reads the masked text of a step that asks for data. */
export declare function narrowingOf(masked: string): Narrowing;
/** Whether a step asks for figures rather than for the rows, lines or files themselves. */
export declare const isCounting: (masked: string) => boolean;
/** Whether a step that names no file says by itself that it is about more than what the step before left. */
export declare const hasOwnScope: (masked: string, narrowing: Narrowing) => boolean;

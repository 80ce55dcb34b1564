/** How strongly a child process is isolated, strongest first. */
export const isolationLevels = ['A', 'B', 'C', 'none'] as const;
export type IsolationLevel = (typeof isolationLevels)[number];

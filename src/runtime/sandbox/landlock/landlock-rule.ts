/** Below which path a process may do what. `list` is to see names and nothing of what they hold. */
export type LandlockRule = readonly [path: string, right: 'read' | 'write' | 'list'];

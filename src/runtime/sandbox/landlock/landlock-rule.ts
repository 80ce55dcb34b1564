/** The access right of a process below a path. `list` shows names without contents. */
export type LandlockRule = readonly [path: string, right: 'read' | 'write' | 'list'];

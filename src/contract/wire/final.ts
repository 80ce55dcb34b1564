/** The tool with which a model ends its work, and which checks the result for missing files. */
export const FINAL = 'final';

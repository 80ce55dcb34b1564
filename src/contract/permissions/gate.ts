/** A setting for a class of operations. `auto`: the policy table decides. */
export const gateModes = ['auto', 'ask', 'allow', 'deny'] as const;
export type GateMode = (typeof gateModes)[number];

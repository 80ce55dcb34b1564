/** Stands in for `zod/v3`: LangChain takes schemas of it, too, and ours are all of zod 4. */
const refuse = (): never => {
  throw new Error('schemas of zod 3 are not part of this build');
};

export const z = { any: refuse, object: refuse, string: refuse };

/** Names of the kinds of such schemas. Nothing is of any of them. */
export const ZodFirstPartyTypeKind = {};

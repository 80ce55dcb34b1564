/** Stands in for `zod/v3`: LangChain also accepts its schemas, but all of Capstan's are zod 4. */
const refuse = (): never => {
  throw new Error('schemas of zod 3 are not part of this build');
};

export const z = { any: refuse, object: refuse, string: refuse };

/** Names of the kinds of such schemas. Nothing is an instance of them. */
export const ZodFirstPartyTypeKind = {};

/** Stands in for `js-tiktoken` (22 MB of ranks): token counts come from providers, never from a local guess of LangChain. */
export class Tiktoken {
  constructor() {
    throw new Error('local token counting is not part of this build');
  }
}

export const getEncodingNameForModel = (model: string): never => {
  throw new Error(`local token counting is not part of this build (asked for ${model})`);
};

import type { ModelHint } from '../contract/wire/chat.ts';
import { finishAnswer } from './answer/answer.ts';
import { skipThoughts } from './answer/think-tags.ts';
import { defaultMaxOutputTokens } from './answer/usage.ts';
import { malformed } from './failure/failure.ts';
import { contextWindowOf } from './prices/context-window.ts';
import { type ModelRequest, type OnText, type Provider, ProviderError } from './provider.ts';
import { readModelList } from './served-models.ts';
import { openVendor, type VendorOptions, type Wire } from './vendor.ts';

/** Maximum number of rejected forms that one call adapts to. */
const MAX_ADAPTATIONS = 5;
/** Longer outputs are streamed: Anthropic requires it, and no proxy closes an idle connection. */
const STREAM_ABOVE_TOKENS = 16_384;

/**
 * The provider of a vendor's API. If a server rejects a feature of a request (400, not billed), the request is repeated in
 * the next simpler form, which is remembered for the model.
 */
export function createModelProvider<Form, Extra, Answer>(
  wire: Wire<Form, Extra, Answer>,
  options: VendorOptions,
): Provider {
  const vendor = openVendor(wire, options);
  const { name, facts, origin } = vendor;
  const carried = createCarried<Extra>();
  const accepted = new Map<string, Form>();
  const windows = new Map<string, Promise<number | undefined>>();
  const modelFor = (hint: ModelHint): string =>
    options.models?.[hint] || facts.models?.[hint] || '';

  const callFor = (request: ModelRequest, isStreamed: boolean) => {
    const model = modelFor(request.hint);
    const key = `${model} ${request.tools?.length ? 'tools' : ''}`;
    const maxTokens = request.max_output_tokens ?? defaultMaxOutputTokens;
    return {
      key,
      model,
      form: accepted.get(key) ?? wire.firstForm(origin),
      reasoning: options.reasoning,
      maxTokens,
      wantsStream: isStreamed || maxTokens > STREAM_ABOVE_TOKENS,
      extraOf: carried.find,
    };
  };

  /** Remembers the next simpler form after a rejection. False if the error is another one. */
  const adapt = (error: unknown, request: ModelRequest, call: ReturnType<typeof callFor>) => {
    const next = isRefused(error) ? wire.relax(error.message, request, call) : undefined;
    if (next !== undefined) accepted.set(call.key, next);
    return next !== undefined;
  };

  async function ask(
    request: ModelRequest,
    signal: AbortSignal,
    onText?: OnText,
  ): Promise<unknown> {
    for (let adaptations = 0; ; adaptations += 1) {
      const call = callFor(request, onText !== undefined);
      const { path, body } = wire.request(request, call);
      try {
        return await vendor.post(path, body, signal, onText);
      } catch (error) {
        if (adaptations === MAX_ADAPTATIONS || !adapt(error, request, call))
          throw wire.explain?.(error, call.model) ?? error;
      }
    }
  }

  return {
    name,
    origin,
    isModel: true,
    modelFor,
    contextTokens(hint) {
      const model = modelFor(hint);
      const known =
        windows.get(model) ??
        wire.contextTokens?.(model, vendor) ??
        contextWindowOf({ provider: name, model, origin });
      windows.set(model, known);
      return known;
    },
    listModels: async (signal) => readModelList(await vendor.get(wire.listPath, signal)),
    async chat(request, signal, onText) {
      const shown = onText && wire.hasThinkTags ? skipThoughts(onText) : onText;
      const answer = wire.answer.safeParse(await ask(request, signal, shown));
      if (!answer.success) throw malformed(name, `it is not ${wire.answerName}`);
      const given = wire.read(answer.data, request);
      const model = modelFor(request.hint);
      const result = finishAnswer(given, request, { provider: name, model });
      carried.keep(result.carried ?? {});
      return result;
    },
    restore: carried.keep,
    close: vendor.close,
  };
}

/** A request that was refused before anything was generated. */
const isRefused = (error: unknown): error is ProviderError =>
  error instanceof ProviderError &&
  error.problem === 'bad_request' &&
  (error.status === 400 || error.status === 422);

const MAX_ENTRIES = 1_000;

/** Values that a vendor needs back with a tool call on the next turn (signatures, reasoning) and that chat messages have no field for. */
function createCarried<T>() {
  const kept = new Map<string, unknown>();
  return {
    find: (callId: string) => kept.get(callId) as T | undefined,
    /** Adds values by id of the call. The newest 1,000 are kept. */
    keep(values: Readonly<Record<string, unknown>>): void {
      for (const [callId, value] of Object.entries(values)) {
        kept.delete(callId);
        kept.set(callId, value);
      }
      for (const callId of [...kept.keys()].slice(0, -MAX_ENTRIES)) kept.delete(callId);
    },
  };
}

import type * as z from 'zod';
import type { GivenAnswer } from './answer/answer.ts';
import type { Reasoning } from './answer/reasoning.ts';
import type { ModelRequest } from './provider.ts';
import type { Vendor, VendorApi } from './vendor.ts';

/** One call in the form that the server accepts. */
export interface Call<Form, Extra> {
  readonly model: string;
  readonly form: Form;
  /** The reasoning effort. Default: the model's. */
  readonly reasoning: Reasoning | undefined;
  readonly maxTokens: number;
  readonly wantsStream: boolean;
  /** The value that the vendor needs back with an earlier tool call. */
  extraOf(callId: string): Extra | undefined;
}

/**
 * The API of a vendor, as data and pure functions. `Form` states which request features a model accepts, `Extra` is the value
 * that the vendor needs back with a tool call, `Answer` is its document.
 */
export interface Wire<Form, Extra, Answer> extends VendorApi {
  /** The path of the model list. */
  readonly listPath: string;
  /** Whether answers may begin with reasoning in tags. */
  readonly hasThinkTags?: boolean;
  readonly answer: z.ZodType<Answer>;
  /** The name of an answer, for errors: `a message`. */
  readonly answerName: string;
  /** The form before a server has rejected anything. */
  firstForm(origin: string): Form;
  request(
    request: ModelRequest,
    call: Call<Form, Extra>,
  ): { readonly path: string; readonly body: object };
  read(answer: Answer, request: ModelRequest): GivenAnswer<Extra>;
  /** The form to try next after a rejection; undefined if the rejection has another cause. */
  relax(
    refusal: string,
    request: ModelRequest,
    call: Pick<Call<Form, Extra>, 'form' | 'reasoning'>,
  ): Form | undefined;
  /** The context window of a model in tokens. Default: that of the price catalogue. Must not throw. */
  contextTokens?(model: string, vendor: Vendor): Promise<number | undefined>;
  /** A failed call with advice. */
  explain?(error: unknown, model: string): unknown;
}

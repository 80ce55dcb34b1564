import { expectTypeOf, it } from 'vitest';
import type * as wire from '../runtime/protocol.ts';
import type * as ours from './provider.ts';

type Plain<T> = T extends readonly (infer Item)[]
  ? Plain<Item>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Plain<T[Key]> }
    : T;

it('the shapes of a chat are the same on the wire and in the providers', () => {
  expectTypeOf<wire.ChatMessage>().toExtend<ours.ChatMessage>();
  expectTypeOf<Plain<ours.ChatMessage>>().toExtend<wire.ChatMessage>();
  expectTypeOf<Plain<ours.ChatTool>>().toEqualTypeOf<Plain<wire.ToolDescription>>();
  expectTypeOf<Plain<ours.ToolCallRequest>>().toEqualTypeOf<Plain<wire.ToolCallRequest>>();
  expectTypeOf<Plain<ours.ChatResponse>>().toEqualTypeOf<Plain<wire.ChatResponse>>();
  expectTypeOf<Plain<ours.Usage>>().toEqualTypeOf<Plain<wire.Usage>>();
  expectTypeOf<ours.ModelHint>().toEqualTypeOf<wire.ModelHint>();
  expectTypeOf<wire.ChatRequest>().toExtend<ours.ChatRequest>();
  expectTypeOf<{ kind: 'chat' } & Plain<ours.ChatRequest>>().toExtend<wire.ChatRequest>();
});

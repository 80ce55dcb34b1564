import * as z from 'zod';
import { asRecord } from '../../../platform/text/parse-json.ts';
import { createResultText } from '../../answer/result-text.ts';
import { StreamBroken } from '../../http/stream-events.ts';
import type { Assembler } from '../../vendor.ts';

const Index = z.int().min(0).max(1_000);
const Delta = z.looseObject({ type: z.string() });

/** The relevant events; `ping` and unknown events are ignored. */
const Event = z.discriminatedUnion('type', [
  z.object({ type: z.literal('message_start'), message: z.record(z.string(), z.unknown()) }),
  z.object({
    type: z.literal('content_block_start'),
    index: Index,
    content_block: z.looseObject({ type: z.string() }),
  }),
  z.object({ type: z.literal('content_block_delta'), index: Index, delta: Delta }),
  z.object({
    type: z.literal('message_delta'),
    delta: z.record(z.string(), z.unknown()),
    usage: z.record(z.string(), z.unknown()).nullish(),
  }),
  z.object({ type: z.literal('message_stop') }),
]);
type Event = z.infer<typeof Event>;
const known: ReadonlySet<unknown> = new Set(Event.options.map((option) => option.shape.type.value));

interface OpenBlock {
  readonly start: Readonly<Record<string, unknown>>;
  readonly resultText: ReturnType<typeof createResultText>;
  /** The pieces of each streamed field. */
  readonly grown: Map<string, string[]>;
}

/** By type of a delta: its source field, and the field of the block that it extends. */
const growths: ReadonlyMap<string, { readonly from: string; readonly to: string }> = new Map([
  ['text_delta', { from: 'text', to: 'text' }],
  ['thinking_delta', { from: 'thinking', to: 'thinking' }],
  ['signature_delta', { from: 'signature', to: 'signature' }],
  ['input_json_delta', { from: 'partial_json', to: 'input' }],
]);

/** Assembles a message from its events. */
export function assembleMessage(): Assembler {
  let message: Record<string, unknown> = {};
  let usage: Record<string, unknown> = {};
  let isComplete = false;
  const blocks = new Map<number, OpenBlock>();

  const take = (event: Event): string => {
    switch (event.type) {
      case 'message_start':
        message = event.message;
        usage = asRecord(message['usage']);
        break;
      case 'content_block_start':
        blocks.set(event.index, openBlock(event.content_block));
        return textOf(event.content_block, 'text');
      case 'content_block_delta':
        return grow(blocks.get(event.index), event.delta);
      case 'message_delta':
        message = { ...message, ...event.delta };
        usage = { ...usage, ...withoutNulls(event.usage ?? {}) };
        break;
      default:
        isComplete = true;
    }
    return '';
  };

  return {
    push(event) {
      if (!known.has((event as { type?: unknown }).type)) return '';
      const parsed = Event.safeParse(event);
      if (!parsed.success) throw new StreamBroken('an event is not an event of a message');
      return take(parsed.data);
    },
    /** Some compatible servers omit the last event. */
    isComplete: () => isComplete || typeof message['stop_reason'] === 'string',
    document: () => ({ ...message, usage, content: [...blocks.values()].map(closeBlock) }),
  };
}

const textOf = ({ type, text }: z.infer<typeof Delta>, wanted: string): string =>
  type === wanted && typeof text === 'string' ? text : '';

const openBlock = (start: OpenBlock['start']): OpenBlock => ({
  start,
  resultText: createResultText(),
  grown: new Map(),
});

/** Returns the text that a delta adds to the answer. */
function grow(block: OpenBlock | undefined, delta: z.infer<typeof Delta>): string {
  const growth = growths.get(delta.type);
  const piece = growth && delta[growth.from];
  if (block === undefined || typeof piece !== 'string' || growth === undefined) return '';
  const pieces = block.grown.get(growth.to) ?? [];
  pieces.push(piece);
  block.grown.set(growth.to, pieces);
  if (growth.to === 'input') return block.resultText(String(block.start['name']), piece);
  return growth.to === 'text' ? piece : '';
}

function closeBlock({ start, grown }: OpenBlock): Record<string, unknown> {
  const block: Record<string, unknown> = { ...start };
  for (const [field, pieces] of grown) {
    const before = typeof block[field] === 'string' ? block[field] : '';
    block[field] = before + pieces.join('');
  }
  return block;
}

const withoutNulls = (record: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));

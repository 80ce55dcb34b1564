/** One message of a `text/event-stream`. */
export interface StreamMessage {
  readonly event: string;
  readonly data: string;
  /** Undefined if the message has no id. */
  readonly id?: string;
}

/** Parses a `text/event-stream`. Comments (heartbeats) are yielded as messages with the event `comment`. */
export async function* readEvents(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<StreamMessage, void> {
  const reader = body.pipeThrough<string>(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) yield messageOf(block);
  }
}

function messageOf(block: string): StreamMessage {
  const fields = block.split('\n').map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')];
  });
  const find = (name: string) => fields.find(([field]) => field === name)?.[1];
  const data = fields.filter(([field]) => field === 'data').map(([, text]) => text);
  const id = find('id');
  if (data.length === 0) return { event: 'comment', data: '' };
  return { event: find('event') ?? 'message', data: data.join('\n'), ...(id ? { id } : {}) };
}

import type { RequestDetails } from '../../../../../contract/documents/run-documents.ts';
import { visible } from '../../../lib/text/format.ts';
import { Icon } from '../../../parts/icon.tsx';

interface Message {
  readonly role: string;
  readonly content: string;
  readonly tool_calls?: readonly { readonly name: string; readonly args: unknown }[];
  readonly name?: string;
}

type Answer = Partial<Message> & { readonly text?: string; readonly error?: Error };

interface Chat {
  readonly messages?: readonly Message[];
  readonly tools?: readonly { readonly name: string }[];
}

/** Estimates tokens as the server does for layers: UTF-8 bytes divided by four. */
const tokens = (text: string) => Math.ceil(new TextEncoder().encode(text).length / 4);

/** The messages of one model call, folded, and its answer. */
export function Messages({ details: { request, result } }: { details: RequestDetails }) {
  const chat = (request ?? {}) as Chat;
  const answer = result as Answer | null;
  const said = answer?.content ?? answer?.text ?? '';
  const { error } = answer ?? {};
  return (
    <>
      {(chat.tools?.length ?? 0) > 0 && (
        <p className="sm">
          Offered tools:{' '}
          {chat.tools?.map(({ name }) => (
            <span key={name} className="tag">
              {name}
            </span>
          ))}
        </p>
      )}
      <ol className="msgs">
        {chat.messages?.map((message, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: messages have no identity but their place
          <li key={index}>
            <details>
              <summary>
                <Icon name="chev" className="twist" />
                <b>{message.role}</b>
                <span className="xs faint num">{tokens(message.content)} tokens</span>
                <span className="cut faint sm">{visible(message.content.slice(0, 160))}</span>
              </summary>
              <Text message={message} />
            </details>
          </li>
        ))}
        {answer && (
          <li className="new">
            <div>
              <b>assistant</b>
              <span className="xs faint num">
                {error ? `no answer: ${visible(error.message)}` : `${tokens(said)} tokens`}
              </span>
            </div>
            <Text message={{ role: 'assistant', ...answer, content: said }} />
          </li>
        )}
      </ol>
    </>
  );
}

const Text = ({ message: { content, tool_calls: calls = [] } }: { message: Message }) => (
  <>
    {content !== '' && (
      <pre className="code said" tabIndex={0}>
        {visible(content)}
      </pre>
    )}
    {calls.map((call, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: calls have no identity but their place
      <pre key={index} className="code" tabIndex={0}>
        {call.name} {visible(JSON.stringify(call.args, null, 2))}
      </pre>
    ))}
  </>
);

import * as z from 'zod';
import type { Operation } from '../contract/permissions/operation.ts';
import { METHODS, ownHeaders } from '../contract/wire/protocol.ts';
import { failure, type ToolCall } from './define/call.ts';
import { givesWeb } from './define/gives.ts';
import { defineTool } from './define/tool.ts';
import { isBinary } from './file-io/read.ts';
import { headAndTail } from './files/cut-text.ts';
import { decodeText } from './web/decode-body.ts';
import { webAddress } from './web/web-address.ts';
import { exchange } from './web/web-exchange.ts';

const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/;

const headers = () =>
  z
    .record(
      z.string(),
      z
        .string()
        .max(8_192)
        .regex(/^[\t\x20-\x7e]*$/, 'must be one line of ASCII characters'),
    )
    .superRefine((given, context) => {
      for (const name of Object.keys(given)) {
        const isName = headerName.test(name);
        if (isName && !ownHeaders.test(name)) continue;
        const why = isName ? 'is set by the connection; leave it out' : 'is not a header name';
        context.addIssue({ code: 'custom', path: [name], message: `"${name}" ${why}` });
      }
    });

/** Only the first bytes of a longer body are kept. */
const MAX_BODY_BYTES = 1024 * 1024;

const args = () =>
  z
    .strictObject({
      method: z.enum(METHODS).default('GET'),
      url: webAddress().describe('http or https, complete.'),
      headers: headers().default({}),
      body: z
        .union([z.string(), z.record(z.string(), z.unknown()), z.array(z.unknown())])
        .optional()
        .describe('A text is sent as it is; anything else as JSON.'),
      service: z
        .string()
        .min(1)
        .max(100)
        .optional()
        .describe('A service that the user configured: its credentials are added.'),
    })
    .refine(({ method, body }) => body === undefined || !isRead(method), {
      message: 'GET and HEAD have no body',
      path: ['body'],
    });
type Args = z.output<ReturnType<typeof args>>;

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

export const httpApi = defineTool({
  name: 'http_api',
  effects: 'network',
  operations: METHODS,
  gives: givesWeb,
  forNewCapsules: {
    grant: { hosts: ['*'] },
    calledBy: ['apis?\\b', 'rest\\b', 'endpoint', 'webhook', 'graphql'],
    chosenFor: [],
  },
  words: (operation) => ({ does: `send ${operation}`, done: 'sent', verb: 'fetch' }),
  remembers: 'host',
  description:
    'Sends one HTTP request and returns status, headers and body as text. A status of 400 or more is a result, not a failure. Redirects to another host are reported, not followed.',
  args,
  cut({ can, hasServices }) {
    const methods = METHODS.filter(can);
    return {
      leaveOut: [...(methods.every(isRead) ? ['body'] : []), ...(hasServices ? [] : ['service'])],
      choices: { method: methods },
    };
  },
  operation: operationOf,
  async perform(given, context) {
    const call: ToolCall = { tool: 'http_api', context };
    const { service } = context;
    if (given.service !== service?.name) {
      throw failure(call, `there is no service "${given.service}"`);
    }
    const { method, url, body } = given;
    const isJson = body !== undefined && typeof body !== 'string';
    const headers = { ...(isJson && { 'content-type': 'application/json' }), ...given.headers };
    const sent = isJson ? JSON.stringify(body) : body;
    const request = { method, url, headers, body: sent, maxBytes: MAX_BODY_BYTES, service };
    const answer = await exchange(request, call);
    const { content, bytes, isWhole } = answer.body;
    const isText = !isBinary(content);
    const text = isText ? decodeText(content, answer.headers['content-type']) : '';
    const shown = headAndTail(text, context.maxOutputBytes);
    return {
      result: {
        status: answer.status,
        headers: answer.headers,
        ...(isText ? {} : { binary: true }),
        bytes,
        ...(isWhole ? {} : { bytes_is_minimum: true }),
        truncated: shown !== text || bytes > content.length,
        final_url: answer.finalUrl.href,
        origin: answer.finalUrl.origin,
        body: shown,
      },
    };
  },
});

function operationOf({ method, url, service }: Args): Omit<Operation, 'tool'> {
  return {
    name: `http_api.${method}`,
    tier: isRead(method) ? 0 : 2,
    repeatability: isRead(method) ? 'pure' : 'unsafe',
    paths: [],
    url,
    ...(service === undefined ? {} : { service }),
    target: url.href,
  };
}

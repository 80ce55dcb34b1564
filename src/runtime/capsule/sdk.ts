import type { CoordinatorRequest, IntentReply } from '../../contract/wire/coordinator-messages.ts';
import { answerRequest } from './answer-request.ts';
import { CodedError, ModelError, ToolError } from './ask.ts';
import type { Handler, HandlerContext } from './handler-context.ts';
import { logToStderr, readLines, reportCrash, writeLine } from './pipe.ts';
import { openPort, type Port } from './port.ts';

export type { Handler, HandlerContext };
export { ModelError, ToolError };

/** The protocol version of this SDK. */
const PROTOCOL = 1;

/** Thrown by a handler: the subtask fails with this code and message. */
export class TaskError extends CodedError {
  override readonly name = 'TaskError';
}

export interface StartOptions {
  /** Task kinds in code, by name. Called only when a request has the mode `handler`. */
  readonly handlers?: () => Record<string, Handler>;
}

/**
 * Runs this process as a capsule: one request in, one response out. Stdout is reserved for the protocol, so logs
 * go to stderr. The process exits when the response is written, or when the coordinator is gone.
 */
export function start({ handlers = () => ({}) }: StartOptions = {}): void {
  const { port, settle } = openPort(writeLine);
  let hasRequest = false;
  const take = (line: string) => {
    const message = JSON.parse(line) as CoordinatorRequest | IntentReply;
    if (message.type !== 'coordinator_request') settle(message);
    else if (!hasRequest) {
      hasRequest = true;
      void work(message, port, handlers);
    }
  };
  logToStderr();
  readLines(take, () => process.exit(hasRequest ? 1 : 0));
}

async function work(
  request: CoordinatorRequest,
  port: Port,
  handlers: () => Record<string, Handler>,
): Promise<void> {
  if (request.protocol !== PROTOCOL) {
    reportCrash(`This capsule speaks protocol ${PROTOCOL}, not ${request.protocol}.`);
    process.exit(1);
  }
  writeLine(await answerRequest(request, port, handlers, reportCrash));
  process.exit(0);
}

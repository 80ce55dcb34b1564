import { AppError } from '../../src/contract/errors.ts';
import type { IntentReply } from '../../src/contract/wire/coordinator-messages.ts';
import type { AgentResponse } from '../../src/contract/wire/protocol.ts';
import { answerRequest } from '../../src/runtime/capsule/answer-request.ts';
import type { Handler } from '../../src/runtime/capsule/handler-context.ts';
import { openPort } from '../../src/runtime/capsule/port.ts';
import { Conversation } from '../../src/runtime/conversation.ts';
import type { RunCapsuleOptions } from '../../src/runtime/runner.ts';

/**
 * `runCapsule` without a process and without a deadline, but with the same loop, messages and checks. For benchmarks
 * and tests only: there is no isolation.
 */
export function runCapsuleInMemory(
  options: RunCapsuleOptions,
  handlers: () => Record<string, Handler> = () => ({}),
): Promise<AgentResponse> {
  const { capsule, request, onIntent, onProgress, onNoise, clean, signal } = options;
  return new Promise((resolve, reject) => {
    const talk = new Conversation({
      capsule,
      onIntent,
      onProgress,
      onNoise,
      clean,
      send: (reply) => settle(JSON.parse(JSON.stringify(reply)) as IntentReply),
      onFull: () => {},
      onTurn: () => {},
      onFinal: (response) => resolve(clean(response)),
      onFailure: (failure) => reject(failure({})),
    });
    const say = (message: unknown) => talk.receive(Buffer.from(JSON.stringify(message)));
    const { port, settle } = openPort(say);
    const cancel = () =>
      talk.fail(() => new AppError('CANCELLED', { what: `Capsule "${capsule}"` }));
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
    answerRequest(request, port, handlers).then((response) => {
      signal.removeEventListener('abort', cancel);
      say(response);
    }, reject);
  });
}

import { join } from 'node:path';
import { noSecrets } from '../../src/policy/secrets/redact.ts';
import { runCapsule } from '../../src/runtime/runner.ts';
import { aRequest } from '../capsules/request.ts';
import { levelA } from './sandboxes.ts';

/**
 * A coordinator that runs capsules one after the other (`name=milliseconds`), and prints each outcome and its own
 * memory growth.
 */
const sandbox = levelA();

async function outcomeOf(capsule: string, timeoutMs: number): Promise<string> {
  try {
    const { result } = await runCapsule({
      clean: noSecrets.redact,
      capsule,
      dir: join(import.meta.dirname, 'capsules'),
      entrypoint: ['node', `${capsule}.cjs`],
      sdkPath: join(import.meta.dirname, '../../dist/capsule-sdk.cjs'),
      request: aRequest({ task: '{}' }),
      onIntent: async () => ({ type: 'tool_call_result', ok: true, result: 'x'.repeat(100_000) }),
      timeoutMs,
      graceMs: 300,
      signal: new AbortController().signal,
      sandbox,
    });
    return typeof result === 'string' ? result : (result as { text: string }).text;
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}

const found: Record<string, { outcome: string; grownBytes: number }> = {};
for (const argument of process.argv.slice(2)) {
  const [capsule = '', milliseconds] = argument.split('=');
  const before = process.memoryUsage.rss();
  let most = before;
  const look = () => {
    most = Math.max(most, process.memoryUsage.rss());
  };
  const timer = setInterval(look, 2);
  const outcome = await outcomeOf(capsule, Number(milliseconds));
  look();
  clearInterval(timer);
  found[capsule] = { outcome, grownBytes: most - before };
}
process.stdout.write(JSON.stringify(found));

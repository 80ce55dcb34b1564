import { packageVersion } from '../../../config/files/install-folder.ts';
import type { Stores } from '../../../coordinator/store/create-stores.ts';
import { proxiesOf } from '../../../llm/http/proxies.ts';
import { contentAttributes } from '../../../telemetry/intent-content.ts';
import { openTelemetry, type Telemetry } from '../../../telemetry/open-telemetry.ts';
import { readOtelVariables } from '../../../telemetry/otel-variables.ts';
import type { AppContext } from '../../context/open-context.ts';

/** Sends traces of all runs of this process to where the variables `OTEL_*` say, until the context is closed. */
export async function sendTraces(context: AppContext, stores: Stores): Promise<void> {
  const { environment, events } = context;
  const variables = readOtelVariables(environment);
  const { endpoint, problem } = variables;
  let telemetry: Telemetry | undefined;
  let run: string | undefined;
  const notice = (text: string) => {
    if (run !== undefined)
      events.emit({ type: 'run.noticed', run_id: run, text: `Traces are not sent: ${text}.` });
  };
  if (endpoint !== undefined && problem === undefined) {
    const loaded = await context.settings().catch(() => undefined);
    telemetry = openTelemetry({
      endpoint,
      variables,
      proxies: loaded && proxiesOf(loaded.settings.network),
      version: packageVersion(),
      contentOf(intentId) {
        const found = stores.journal.textsOf(intentId);
        return found ? contentAttributes(found) : {};
      },
      onFailure: (text) => notice(text.replace(/\.$/, '')),
    });
  }
  const endListening = events.listen((event) => {
    telemetry?.take(event);
    if (event.type === 'run.ended') run = undefined;
    if (event.type !== 'run.started' && event.type !== 'run.resumed') return;
    run = event.run_id;
    if (problem !== undefined) notice(problem);
  });
  context.onClose(async () => {
    endListening();
    await telemetry?.close();
  });
}

import { parentPort, workerData } from 'node:worker_threads';
import { htmlText } from './html-text.ts';

/** Runs in a thread that can be ended: some pages would keep the parser busy for minutes. */
const { html, baseUrl } = workerData as { html: string; baseUrl: string };
parentPort?.postMessage(htmlText(html, baseUrl));

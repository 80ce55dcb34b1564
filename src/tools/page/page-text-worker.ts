import { parentPort, workerData } from 'node:worker_threads';
import { htmlText } from './html-text.ts';

/** A worker, since some pages would keep the parser busy for minutes: it can be ended. */
const { html, baseUrl } = workerData as { html: string; baseUrl: string };
parentPort?.postMessage(htmlText(html, baseUrl));

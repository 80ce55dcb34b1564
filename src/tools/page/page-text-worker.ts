import { parentPort, workerData } from 'node:worker_threads';
import { decodeText } from '../web/decode-body.ts';
import { htmlText } from './html-text.ts';

export interface Page {
  readonly content: Uint8Array;
  readonly contentType: string;
  readonly baseUrl: string;
}

/** Runs in a thread that can be ended: some pages would keep the parser busy for minutes. */
const { content, contentType, baseUrl } = workerData as Page;
parentPort?.postMessage(htmlText(decodeText(Buffer.from(content), contentType), baseUrl));

import { afterAll, beforeAll } from 'vitest';
import { answerFromData } from '../../offline/question/answer-from-data.ts';
import { type Bench, openBench } from './handler-context.ts';

/** Asks questions about files that all tests of a test file read. */
export function askFiles(files: Readonly<Record<string, string>>) {
  let bench: Bench;
  beforeAll(async () => {
    bench = await openBench(files);
  });
  afterAll(() => bench.remove());
  return (question: string) => answerFromData(bench.context(question));
}

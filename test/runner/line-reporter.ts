import type { Reporter, SerializedError, TestModule } from 'vitest/node';

/** Closes a test run with one plain line: `12 passed, 0 failed, 1 skipped`. */
export default class LineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]) {
    const counts = { passed: 0, failed: unhandled.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      counts.failed += module.errors().length;
      for (const test of module.children.allTests()) counts[test.result().state] += 1;
    }
    const skipped = counts.skipped + counts.pending;
    console.log(`${counts.passed} passed, ${counts.failed} failed, ${skipped} skipped`);
  }
}

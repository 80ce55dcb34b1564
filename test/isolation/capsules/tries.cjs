'use strict';
// Runs one hostile act and answers with what came of it: `done`, or the code of what kept it from being done.
const fs = require('node:fs');

module.exports = function tries(act) {
  const request = JSON.parse(readLine());
  const end = (outcome) => {
    fs.writeSync(
      1,
      `${JSON.stringify({
        type: 'agent_response',
        status: 'ok',
        result: { text: String(outcome) },
        artifacts: [],
        memory_updates: [],
      })}\n`,
    );
    process.exit(0);
  };
  const codeOf = (error) => (error && (error.code || error.message)) || 'failed';
  try {
    Promise.resolve(act(JSON.parse(request.task))).then(
      (found) => end(found === undefined ? 'done' : found),
      (error) => end(codeOf(error)),
    );
  } catch (error) {
    end(codeOf(error));
  }
};

function readLine() {
  const bytes = Buffer.alloc(65_536);
  let text = '';
  while (!text.includes('\n')) text += bytes.toString('utf8', 0, fs.readSync(0, bytes));
  return text;
}

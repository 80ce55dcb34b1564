// Logs one long line to stdout, then answers.
console.log('x'.repeat(65 * 1024));
console.log(JSON.stringify({ type: 'agent_response', status: 'ok', result: 'done' }));

// Answers and does not go.
console.log(JSON.stringify({ type: 'agent_response', status: 'ok', result: 'done' }));
process.on('SIGTERM', () => {});
setInterval(() => {}, 1_000);
